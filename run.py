"""Textbooks in, a verified curriculum graph out: `python run.py subject=physics` (see `--help`)."""

from kg.main import main

if __name__ == "__main__":
    main()
