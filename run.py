"""Textbooks in, a verified curriculum graph out: `python run.py subject=physics` (see `--help`)."""

if __name__ == "__main__":
    from kg.main import main  # not above: worker processes read this file again and need none of it

    main()
