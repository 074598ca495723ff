"""`python -m topple`: the command line."""

from topple.cli.main import main

if __name__ == "__main__":
    main()
