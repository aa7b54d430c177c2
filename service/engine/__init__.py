"""The rules of Pis Yedili, pure: no clock, no I/O, no global random, standard library only.

`match.start` deals the first deal, `match.play` judges one move and gives the new state with the events that it
caused, `legal.legal_moves` lists what the seat on turn may do. States are immutable values. A refused move raises
`errors.IllegalMove`, which carries the clause of the rules that forbids it.
"""
