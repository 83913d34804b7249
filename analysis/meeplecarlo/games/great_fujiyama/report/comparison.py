def comparison(s):
    pass
