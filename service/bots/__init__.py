"""Bots: players that are given what a player at their seat is given, and nothing else, so they cannot cheat.

`choosing.choose` is their one function. Its arguments are the view of the seat, as the service shows it to a player
there, and the events of the log that this player could have followed; the cards of the others are not among them.
The package knows the engine, and nothing of the service around it.
"""
