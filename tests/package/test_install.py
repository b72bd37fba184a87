"""The wheel, the sdist and the editable install: each holds what it should, and `twistd` finds offprompt in all."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import pytest

from offprompt.version import VERSION
from tests.package.environment import CONSTRAINTS, Environment, make_environment, run

pytestmark = pytest.mark.install


def test_the_wheel_holds_the_program_its_data_and_the_plugin_and_nothing_else(built: Path, checkout: Path) -> None:
    with zipfile.ZipFile(built / f"offprompt-{VERSION}-py3-none-any.whl") as wheel:
        names = set(wheel.namelist())
    expected = {"twisted/plugins/offprompt_plugin.py", "offprompt/py.typed"}
    data = ("registry/*.toml", "registry/*.json", "registry/providers/*.toml", "page/static/*", "page/words/*")
    for pattern in ("*.py", *data):
        found = {str(path.relative_to(checkout)) for path in (checkout / "offprompt").rglob(pattern) if path.is_file()}
        assert found, pattern
        expected |= found
    assert {name for name in names if ".dist-info/" not in name} == expected


def test_the_sdist_holds_all_it_takes_to_change_and_check_the_program(built: Path) -> None:
    with tarfile.open(built / f"offprompt-{VERSION}.tar.gz") as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    needed = {
        ".ci/run",
        "LICENSE",
        "Makefile",
        "README.md",
        "docs/dependencies.md",
        "offprompt/look/bundle.mjs",
        "offprompt/page/script/package-lock.json",
        "offprompt/page/style/page.css",
        "offprompt/registry/built.json",
        "requirements/constraints.txt",
        "scripts/build_registry.py",
        "scripts/setup",
        "tests/conftest.py",
        "tests/harness/package-lock.json",
        "tests/package/test_install.py",
        "twisted/plugins/offprompt_plugin.py",
    }
    assert needed <= names
    assert not [name for name in names if "node_modules" in name or name.endswith((".pyc", "dropin.cache"))]


def test_twistd_and_twist_find_the_installed_wheel_from_any_folder(installed: Environment, tmp_path: Path) -> None:
    for program in ("twistd", "twist"):
        assert "offprompt" in run([installed.program(program), "--help"], tmp_path), program


def test_what_is_installed_fits_together_and_comes_from_the_wheel(installed: Environment, tmp_path: Path) -> None:
    run([installed.program("python"), "-m", "pip", "check"], tmp_path)
    where = run([installed.program("python"), "-c", "import offprompt; print(offprompt.__file__)"], tmp_path)
    assert Path(where.strip()).is_relative_to(installed.folder)
    data = "from offprompt.registry.lookup import facts_of; print(facts_of('STRIPE_SECRET_KEY').label)"
    assert run([installed.program("python"), "-c", data], tmp_path) == "Stripe secret key\n"


@pytest.mark.deep
def test_the_editable_install_is_found_too_and_taking_it_out_leaves_twisted_whole(
    checkout: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """setuptools finds a plain editable install by an import hook, which Twisted's plugins do not know: package_dir."""
    environment = make_environment(tmp_path_factory.mktemp("editable") / "venv")
    environment.pip("install", "--constraint", CONSTRAINTS, "--editable", checkout)
    assert "offprompt" in run([environment.program("twistd"), "--help"], tmp_path)
    assert "offprompt" in run([environment.program("twistd"), "--help"], checkout)
    environment.pip("uninstall", "--yes", "offprompt")
    without = run([environment.program("twistd"), "--help"], tmp_path)
    assert "offprompt" not in without
    assert "manhole" in without
