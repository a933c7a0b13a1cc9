"""The house keeps its own rules: names, layers, packages, docs."""

from __future__ import annotations

import ast
import importlib.metadata
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from kg.stage import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES: list[str] = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}


def type_names() -> set[str]:
    data = yaml.safe_load((ROOT / "conf/schema/k12.yaml").read_text(encoding="utf-8"))
    return set(data["nodes"]) | set(data["edges"])


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_type_of_the_graph_is_spelled_in_code(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert not texts & type_names()


def test_files_are_short_and_names_say_something() -> None:
    long = [str(path) for path in SOURCES if len(path.read_text(encoding="utf-8").splitlines()) > 400]
    assert long == []
    assert [str(path) for path in SOURCES if path.stem in NAMES_THAT_SAY_NOTHING] == []


def test_an_init_holds_one_docstring_and_nothing_else() -> None:
    for package in PACKAGES:
        body = ast.parse((ROOT / package / "__init__.py").read_text(encoding="utf-8")).body
        assert len(body) == 1 and isinstance(body[0], ast.Expr), package


def test_every_package_is_listed_everywhere() -> None:
    on_disk = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))
    assert sorted(PACKAGES) == on_disk
    assert sorted(PROJECT["tool"]["importlinter"]["root_packages"]) == on_disk
    assert all((ROOT / package / "py.typed").is_file() for package in PACKAGES)
    assert set(PROJECT["tool"]["mypy"]["files"]) == {"run.py", *PACKAGES}


def test_no_installed_distribution_owns_one_of_our_package_names() -> None:
    owners = importlib.metadata.packages_distributions()
    foreign = {name: owners[name] for name in PACKAGES if set(owners.get(name, [])) - {"textbook-kg"}}
    assert foreign == {}


def test_every_choice_in_conf_is_valid_yaml_and_its_target_can_be_imported() -> None:
    for path in sorted((ROOT / "conf").rglob("*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert isinstance(data, dict), path
        if target := data.get("_target_"):
            module, _, name = target.rpartition(".")
            found = subprocess.run(
                [sys.executable, "-c", f"from {module} import {name}"], cwd=ROOT, capture_output=True, text=True
            )
            assert found.returncode == 0, (path, found.stderr)


def test_an_engine_is_imported_in_the_file_named_after_it_only() -> None:
    engines = {"pymupdf", "fitz", "pypdfium2", "pdfplumber", "pytesseract", "rapidocr", "ray", "openai"}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                root = name.partition(".")[0]
                named = root in path.stem or path.stem in root
                assert root not in engines or named, f"{path}: imports {name}"
