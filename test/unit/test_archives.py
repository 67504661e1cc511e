"""The archives of test/data hold the files of their folders, so that what a script wrote anew is not forgotten."""

import io
import shutil
import tarfile

import archives
import pytest


@pytest.mark.parametrize("folder", archives.FOLDERS, ids=lambda folder: folder.name)
def test_an_archive_holds_its_folder(folder):
    with tarfile.open(fileobj=io.BytesIO(archives.archive_of(folder).read_bytes()), mode="r:xz") as archive:
        held = {one.name: archive.extractfile(one).read() for one in archive}
    assert held == {one.name: one.read_bytes() for one in archives.files_of(folder)}


def test_packing_again_gives_the_same_bytes(tmp_path):
    folder = shutil.copytree(archives.FOLDERS[1], tmp_path / "tt")
    archives.pack(folder)
    first = archives.archive_of(folder).read_bytes()
    (folder / "later.ttir").write_text("module {}")
    archives.pack(folder)
    assert archives.archive_of(folder).read_bytes() != first
    (folder / "later.ttir").unlink()
    (folder / archives.STAMP).unlink()
    assert archives.unpack(folder)
    assert (folder / "later.ttir").read_text() == "module {}"
    assert not archives.unpack(folder)
