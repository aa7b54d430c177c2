"""`python -m service.webhooks`: deliver what webhooks are to be told. As many as one likes may run, anywhere."""

import gevent
from gevent import monkey

gevent.config.resolver = "ares"  # looks names up without threads, which slow name servers would hold
monkey.patch_all()

from .process import main  # noqa: E402  # everything else is to meet green threads

main()
