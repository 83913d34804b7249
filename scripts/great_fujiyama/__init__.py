"""Full-knowledge search for Great Fujiyama: how far could a team get that knows the whole deck?"""
