"""Every measurement beside its natural limit, in one run: `python -m tests.bench [module …]`."""

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "support"))
WIDTH = 64
ASKED_FOR = {"kill"}
"""Those that take so long that they run only where they are named."""


def main() -> None:
    """Run the modules that are named, or all, and print what they find as ratios."""
    found = sorted(path.stem for path in HERE.glob("[!_]*.py") if path.stem not in ASKED_FOR)
    for name in sys.argv[1:] or found:
        module = importlib.import_module(f"tests.bench.{Path(name).stem}")
        for work, seconds, limit, least in module.run():
            beside = f"×{seconds / least:.1f} of {limit} ({least * 1000:.2f} ms)" if limit else ""
            print(f"{work:<{WIDTH}} {seconds * 1000:9.2f} ms  {beside}")


if __name__ == "__main__":
    main()
