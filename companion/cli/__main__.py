"""`python -m companion.cli`: the command line without an installed command."""

import sys

from . import main

sys.exit(main())
