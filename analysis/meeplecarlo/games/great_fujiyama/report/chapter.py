def chapter(s):
    pass
