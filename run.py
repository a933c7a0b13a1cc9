"""Textbooks in, a verified curriculum graph out: `python run.py subject=physics` (see `--help`)."""

if __name__ == "__main__":
    import gc

    gc.disable()  # until all is loaded: nothing of that is garbage, and looking for it takes a fifth of a second
    from kg.main import main  # not above: worker processes read this file again and need none of it

    main()
