"""The games that come with meeplecarlo, a folder each; `registry.SHIPPED_GAMES` lists them."""
