"""Loads a release with several versions of `datasets`, each in a throw-away environment, with the network off.

    python tests/release/load_matrix.py RELEASE ENVIRONMENTS [VERSION …]

In: a release; a folder for the environments (kept, so that a second run is quick). Out: a line per version and
configuration; exit code 1 if one does not load or has another number of rows than the manifest says. Not a test that
pytest runs: it installs packages from the registry.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

VERSIONS = ("2.19.2", "3.6.0", "4.0.0", "latest")
LOADER = """
import json, sys, yaml
from pathlib import Path
import datasets
root = Path(sys.argv[1])
rows = json.loads((root / "manifest.json").read_text(encoding="utf-8"))["rows"]
head = yaml.safe_load((root / "README.md").read_text(encoding="utf-8").split("---")[1])
wrong = 0
for config in head["configs"]:
    for part in config["data_files"]:
        found = datasets.load_dataset(str(root), config["config_name"], split=part["split"], cache_dir=sys.argv[2])
        found[0]
        same = len(found) == rows[part["path"]]
        wrong += not same
        print(datasets.__version__, config["config_name"], part["split"], len(found), "ok" if same else "WRONG")
sys.exit(bool(wrong))
"""


def main(release: str, environments: str, versions: tuple[str, ...]) -> int:
    """1 if anything did not load."""
    worst = 0
    for version in versions:
        place = Path(environments, f"ds-{version}")
        python = place / "bin" / "python"
        if not python.is_file():
            venv.create(place, with_pip=True)
            wanted = "datasets" if version == "latest" else f"datasets=={version}"
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", wanted], check=True)
        offline = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(place / "home")}
        cache = place / "cache" / json.dumps(release).encode().hex()[-24:]
        done = subprocess.run([str(python), "-c", LOADER, release, str(cache)], env=offline, check=False)
        worst = max(worst, done.returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], tuple(sys.argv[3:]) or VERSIONS))
