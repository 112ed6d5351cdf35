import warnings

import pytest

import pydd


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """Compiled anew in each run of the tests, and kept within one."""
    monkeypatch.setenv("PYDD_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(autouse=True)
def no_fallback(request):
    """A function that runs in Python is an error, but where a test is about that."""
    with warnings.catch_warnings():
        if request.node.get_closest_marker("falls_back") is None:
            warnings.simplefilter("error", pydd.PyddWarning)
        yield


def pytest_configure(config):
    config.addinivalue_line("markers", "falls_back: functions of this test may run in Python")
