"""What we believe that node reads is what it reads, on any text."""

from __future__ import annotations

from hypothesis import HealthCheck, example, given, settings

from offprompt.sinks.dotenv import node as reader
from tests.sinks import reading
from tests.sinks.texts import texts

often = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@often
@example("A=\n'b'\n")
@example("A='x\\' # it's\n")
@example("\ufeffA=1")
@example("A='a' 'b'\u2028B=2")
@example('A="a\\nb\\r\\t"')
@example("A=`a\nB=2`")
@example("A='a\u2028'b'\u2028'c\u2028\"d'\u2028'e\"")
@example('A=x\u2028"a\u2028b"\u2028"')
@example("A='\u2028'\u2028'")
@given(texts)
def test_node_reads_what_we_believe(node: reading.Node, text: str) -> None:
    version_18, version_17, _ = node.read([text.encode()])[0]
    expected = {found.name: found.value for found in reader.statements(text)}
    expected.pop("__proto__", None)
    assert version_18 == expected
    assert version_17 == expected
