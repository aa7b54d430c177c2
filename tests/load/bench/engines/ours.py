"""Play random deals of Pis Yedili with four seats, and print the moves a second: python ours.py SECONDS.

Moves that were listed are carried out in place without being judged again, as the other engines do it.
"""

from __future__ import annotations

import random
import sys
import time

from service.engine.legal import legal_moves
from service.engine.play import carry_out, deal_cards
from service.engine.rules import resolve
from service.engine.shuffle import Shuffler
from service.engine.state import thaw

SEATS = 4


def main(seconds: float) -> None:
    """Play."""
    rules = resolve({}, SEATS).rules
    rnd = random.Random(1)
    moves = deals = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        deals += 1
        shuffler = Shuffler(rnd.randbytes(32), "match", deals, ("",) * SEATS)
        deal, _ = deal_cards(rules, shuffler, 1, 0)
        table = thaw(deal)
        while table.turn is not None:
            carry_out(table, rnd.choice(legal_moves(table)))
            moves += 1
    print(moves / (time.process_time() - began))


if __name__ == "__main__":
    main(float(sys.argv[1]))
