"""Which product versions a note holds for."""

import pytest

from memories.index.versions import applies, check_spec, parse_version


@pytest.mark.parametrize(
    ("spec", "version", "holds"),
    [
        ("", "3.1", True),
        ("2.x", "2.14.3", True),
        ("2.x", "3.0", False),
        ("3.0.x", "3.0.9", True),
        ("3.0.x", "3.1.0", False),
        ("3.1.0", "3.1", True),
        ("3.1.0", "3.1.4", False),
        ("3.1", "3.1.4", True),
        ("3.1", "3.10", False),
        ("v3.1", "v3.1.2", True),
        (">=3.1,<3.3", "3.2.9", True),
        (">=3.1,<3.3", "3.3.0", False),
        (">= 3.1 , < 3.3", "3.1", True),
        (">3.1", "3.1.0", False),
        ("<=2", "2.0.0", True),
        ("!=3.2", "3.2.1", False),
        ("~=3.1.2", "3.1.9", True),
        ("~=3.1.2", "3.2.0", False),
        ("3.1", "3.1.0-rc1", True),
        (">=3.10", "3.9", False),
    ],
)
def test_a_spec_admits_its_versions_and_no_others(spec, version, holds):
    assert applies(spec, version) is holds


@pytest.mark.parametrize("spec", ["latest", "3..1", ">=", "3.x.1", ">=3.x", "3.1 or 3.2", "３.１", "-1"])
def test_an_unreadable_spec_is_refused_with_an_example(spec):
    with pytest.raises(ValueError, match="names no versions: write it like"):
        check_spec(spec)


@pytest.mark.parametrize("version", ["", "latest", "x", "3.1 beta 2!"])
def test_an_unreadable_version_is_refused_with_an_example(version):
    with pytest.raises(ValueError, match=r"write it like 3\.1"):
        applies("3.x", version)


def test_a_versions_suffix_is_left_aside():
    assert parse_version("v3.1.0-rc1") == (3, 1, 0)
