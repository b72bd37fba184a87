"""Growth tells linear work from quadratic work."""

from __future__ import annotations

import re

from tests.growth import LINEAR, growth


def test_a_linear_expression_stays_under_the_bound() -> None:
    assert growth(lambda n: " " * n + "x", re.compile(r"\s*#").match) < LINEAR


def test_a_quadratic_expression_is_over_it() -> None:
    assert growth(lambda n: " " * n + "x", re.compile(r"\s+#").search) > LINEAR
