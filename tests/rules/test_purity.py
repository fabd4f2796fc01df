"""The engine stands alone: standard library only, and the examples in its docstrings are true."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import sys
from pathlib import Path

import pytest

import games.rules

FOLDER = Path(games.rules.__file__).parent
MODULES = ["games.rules", *(found.name for found in pkgutil.walk_packages(games.rules.__path__, "games.rules."))]


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: str(path.relative_to(FOLDER)))
def test_it_imports_the_standard_library_and_itself(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            assert all(name.name.split(".")[0] in sys.stdlib_module_names for name in node.names)
        if isinstance(node, ast.ImportFrom) and not node.level:
            assert (node.module or "").split(".")[0] in sys.stdlib_module_names


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_only_a_variants_own_file_knows_its_key() -> None:
    keys = games.rules.VARIANTS.keys() - {"short", "long", "tapa"}  # these are families too
    for path in FOLDER.glob("*.py"):
        tree = ast.parse(path.read_text())
        for compared in (node for node in ast.walk(tree) if isinstance(node, ast.Compare)):
            words = [node.value for node in ast.walk(compared) if isinstance(node, ast.Constant)]
            assert not keys & set(words), (path.name, compared.lineno)
