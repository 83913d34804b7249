"""Studies: runs made to answer one question, and the answer."""
