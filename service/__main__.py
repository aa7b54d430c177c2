"""`python -m service`: the same as the console script `pis-yedili`."""

from service.cli import main

main()
