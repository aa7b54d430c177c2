"""Webhooks: what is told to the application that created a match, and how it gets there.

`hook` and `messages` decide, as parts of the write that causes something; `python -m service.webhooks` delivers.
"""
