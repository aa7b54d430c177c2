"""Pis Yedili ("Dirty Seven"): the Turkish Crazy Eights as a REST service."""

__version__ = "0.1.0"
