"""`python -m service.webhooks`: deliver what webhooks are to be told. As many as one likes may run, anywhere."""

from gevent import monkey

monkey.patch_all()

from .process import main  # noqa: E402  # everything else is to meet green threads

main()
