"""How fast it is: the service beside the floor of its stack and beside its peers, in one run."""
