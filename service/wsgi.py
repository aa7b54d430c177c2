"""The application as a WSGI server loads it: `service.wsgi:app`."""

from service.app import create_app
from service.settings import Settings

app = create_app(Settings.from_env())
