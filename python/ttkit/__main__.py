"""`python -m ttkit`: the command `ttkit`."""

from ttkit.drivers.toolkit import main

if __name__ == "__main__":
    main()
