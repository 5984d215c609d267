# SPDX-License-Identifier: Apache-2.0
"""python3 metadata.py PYPROJECT.toml VERSION  prints what pip and importlib.metadata read of an installed package."""
import pathlib
import sys
import tomllib

project = tomllib.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["project"]
fields = [("Metadata-Version", "2.1"), ("Name", project["name"]), ("Version", sys.argv[2]), ("Summary", project["description"]),
          ("License", project["license"]["text"]), ("Requires-Python", project["requires-python"]),
          *(("Requires-Dist", needed) for needed in project["dependencies"])]
for name, value in fields:
    print(f"{name}: {value}")
