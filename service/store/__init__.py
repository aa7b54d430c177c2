"""Where matches are kept: the protocol, its implementation on Redis, and a server of our own for it."""
