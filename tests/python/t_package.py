#!/usr/bin/env python3
"""The package as a package: examples of the docstrings, types by mypy, what an import costs, its installation by pip without a network."""
import doctest
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import _run
import hamel

PACKAGE = _run.ROOT / "python"
MODULES = sorted(path.stem for path in (PACKAGE / "hamel").glob("*.py") if path.stem != "__init__")


class Package(unittest.TestCase):
    def test_examples_of_the_docstrings(self):
        tried = 0
        for name in ["hamel", *(f"hamel.{stem}" for stem in MODULES)]:
            module = importlib.import_module(name)
            found = doctest.testmod(module, extraglobs={"hamel": hamel, "fractions": importlib.import_module("fractions")})
            self.assertEqual(found.failed, 0, name)
            tried += found.attempted
        self.assertGreater(tried, 30)

    def test_everything_public_has_a_docstring(self):
        for name in hamel.__all__:
            one = getattr(hamel, name)
            self.assertTrue(one.__doc__, name)
            for member, what in vars(one).items() if isinstance(one, type) else ():
                if not member.startswith("_") and callable(what) and member not in ("keys", "items", "values"):
                    self.assertTrue(what.__doc__, f"{name}.{member}")

    def test_types_are_right(self):
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", cache], cwd=PACKAGE, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_an_import_brings_only_what_is_needed(self):
        text = "import sys, hamel; print([m for m in ('sympy', 'scipy', 'matplotlib', 'pandas', 'mpmath') if m in sys.modules])"
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=_run.ENVIRONMENT, check=True)
        self.assertEqual(done.stdout, "[]\n")

    def test_a_library_that_is_missing_or_of_another_version_is_named(self):
        for library, words in (("/no/where.so", "was not found"), ("libm.so.6", "of another version")):
            done = subprocess.run([sys.executable, "-c", "import hamel"], capture_output=True, text=True, env={**_run.ENVIRONMENT, "HAMEL_LIBRARY": library})
            self.assertIn("ImportError", done.stderr)
            self.assertIn(words, done.stderr)

    def test_pip_installs_it_without_a_network(self):
        library = pathlib.Path(os.environ["HAMEL_LIBRARY"]).resolve()
        with tempfile.TemporaryDirectory() as folder:
            home = pathlib.Path(folder)
            subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", "--system-site-packages", home / "venv"], check=True)
            # no address leads anywhere, and no user's site joins in
            bare = {"PATH": "/usr/bin:/bin", "HOME": folder, "PYTHONNOUSERSITE": "1", "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9",
                    "HAMEL_BUNDLE": str(library), "PIP_DISABLE_PIP_VERSION_CHECK": "1", "LD_PRELOAD": os.environ.get("LD_PRELOAD", "")}
            source = home / "source"
            subprocess.run(["cp", "-r", PACKAGE, source], check=True)
            (home / "include").mkdir()
            (home / "include" / "hamel.h").write_bytes((_run.ROOT / "include" / "hamel.h").read_bytes())
            wheels = []
            for k, options in enumerate(([], ["--no-build-isolation"])):
                done = subprocess.run(["/usr/bin/python3", "-m", "pip", "wheel", "--no-deps", *options, "-w", home / f"wheel{k}", source], env=bare,
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                wheels.append(next((home / f"wheel{k}").glob("*.whl")))
            self.assertEqual(wheels[0].read_bytes(), wheels[1].read_bytes())  # the same bytes each time
            done = subprocess.run(["/usr/bin/python3", "-m", "pip", "--python", home / "venv" / "bin" / "python", "install", source], env=bare,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            text = "import hamel; print(hamel.__file__, len(hamel.load('sleigh').simulate(until=1)))"
            done = subprocess.run([home / "venv" / "bin" / "python", "-c", text], env=bare, capture_output=True, text=True, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout.startswith(f"{home}/venv/") and done.stdout.endswith(" 21\n"), done.stdout)
            done = subprocess.run(["/usr/bin/python3", "-m", "pip", "--python", home / "venv" / "bin" / "python", "uninstall", "-y", "hamel"], env=bare,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual([path for path in (home / "venv").rglob("*hamel*")], [])
            with zipfile.ZipFile(wheels[0]) as wheel:
                self.assertIn("hamel/py.typed", wheel.namelist())

    def test_a_source_archive_makes_the_same_package(self):
        with tempfile.TemporaryDirectory() as folder:
            text = ("import build_backend as b, sys; s = b.build_sdist(sys.argv[1]); import tarfile; tarfile.open(sys.argv[1] + '/' + s).extractall(sys.argv[1]);"
                    "print(s[:-7])")
            done = subprocess.run([sys.executable, "-c", text, folder], cwd=PACKAGE, capture_output=True, text=True, check=True, env=_run.ENVIRONMENT)
            bare = {**_run.ENVIRONMENT, "HAMEL_BUNDLE": "no"}
            names = []
            for where in (pathlib.Path(folder) / done.stdout.strip(), PACKAGE):
                said = subprocess.run([sys.executable, "-c", "import build_backend as b, sys; print(b.build_wheel(sys.argv[1]))", folder], cwd=where,
                                      capture_output=True, text=True, check=True, env=bare)
                names.append((pathlib.Path(folder) / said.stdout.strip()).read_bytes())
            self.assertEqual(names[0], names[1])


if __name__ == "__main__":
    _run.main()
