"""Makes the wheel of this package by the rules of PEP 517 and PEP 660, with Python's own library alone, the same bytes each time.

The package is Python over the shared library. Where this folder lies in a checkout that was built, the wheel takes build/libhamel.so.0
along; HAMEL_BUNDLE=no leaves it out (the Debian package does: there libhamel0 brings it), HAMEL_BUNDLE=FILE takes another one.
"""
import base64
import hashlib
import io
import os
import pathlib
import re
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = "libhamel.so.0"
EPOCH = (1980, 1, 1, 0, 0, 0)


def version():
    """It stands once, in the public header; a source archive carries it in PKG-INFO."""
    for header in (HERE.parent / "include" / "hamel.h", HERE / "PKG-INFO"):
        if header.exists():
            return re.search(r'(?m)^(?:#define HAMEL_VERSION "|Version: )([0-9.]+)', header.read_text())[1]
    raise FileNotFoundError("neither include/hamel.h nor PKG-INFO is here, one of which has the version")


def metadata():
    return "\n".join(["Metadata-Version: 2.1", "Name: hamel", f"Version: {version()}", "Summary: A compiler and laboratory for nonholonomic mechanics",
                      "License: MIT", "Requires-Python: >=3.9", "Requires-Dist: numpy", "Provides-Extra: all",
                      *(f'Requires-Dist: {name} ; extra == "all"' for name in ("sympy", "matplotlib", "pandas", "scipy", "mpmath")),
                      "Description-Content-Type: text/markdown", "", (HERE / "README.md").read_text()])


def library():
    named = os.environ.get("HAMEL_BUNDLE", "")
    if named == "no":
        return None
    file = pathlib.Path(named) if named else HERE.parent / "build" / LIBRARY
    if named and not file.exists():
        raise FileNotFoundError(f"HAMEL_BUNDLE={named}: there is no such file")
    return file if file.exists() else None


def sources():
    return sorted(path for path in (HERE / "hamel").iterdir() if path.suffix in (".py", ".typed"))


def wheel_text(tag):
    return f"Wheel-Version: 1.0\nGenerator: hamel\nRoot-Is-Purelib: {'true' if tag.endswith('any') else 'false'}\nTag: {tag}\n"


def platform_tag(found):
    import sysconfig
    return "py3-none-" + (re.sub(r"[-.]", "_", sysconfig.get_platform()) if found else "any")


class Wheel:
    """A zip archive with the hashes of what is in it."""

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data):
        entry = zipfile.ZipInfo(name, EPOCH)
        entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
        self.archive.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def close(self, folder):
        self.record.append(f"{folder}/RECORD,,")
        entry = zipfile.ZipInfo(f"{folder}/RECORD", EPOCH)
        entry.external_attr = 0o100644 << 16
        self.archive.writestr(entry, "\n".join(self.record) + "\n")
        self.archive.close()


def make(directory, files, tag):
    name = f"hamel-{version()}-{tag}.whl"
    folder = f"hamel-{version()}.dist-info"
    wheel = Wheel(os.path.join(directory, name))
    for target, data in files:
        wheel.add(target, data)
    wheel.add(f"{folder}/METADATA", metadata().encode())
    wheel.add(f"{folder}/WHEEL", wheel_text(tag).encode())
    wheel.close(folder)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    found = library()
    files = [(f"hamel/{path.name}", path.read_bytes()) for path in sources()]
    if found:
        files.append((f"hamel/{LIBRARY}", found.read_bytes()))
    return make(wheel_directory, files, platform_tag(found))


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return make(wheel_directory, [("hamel.pth", f"{HERE}\n".encode())], "py3-none-any")


def build_sdist(sdist_directory, config_settings=None):
    base = f"hamel-{version()}"
    with tarfile.open(os.path.join(sdist_directory, f"{base}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        def add(name, data):
            entry = tarfile.TarInfo(f"{base}/{name}")
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
        add("PKG-INFO", metadata().encode())
        for path in (HERE / "pyproject.toml", HERE / "README.md", HERE / "build_backend.py", *sources()):
            add(str(path.relative_to(HERE)), path.read_bytes())
    return f"{base}.tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_editable = get_requires_for_build_wheel
