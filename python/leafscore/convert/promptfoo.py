"""Results of promptfoo (`promptfoo eval -o results.json` or .jsonl), and test cases for it.

promptfoo has no member for "the expected value": a test may have any number of assertions. The expected value is, of
what there is first: `expected` in the test's metadata or in the config of an assertion, the value of the first
assertion `equals`, the variable `expected`; --expected-field names another, as in `vars.answer`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .counts import Counts
from .errors import ConvertError
from .inputs import Input, top_level_keys
from .json_text import as_text, dump
from .marks import NOTHING, mark_of, with_verdict
from .origins import Origin
from .outputs import lines_to
from .samples import MISSING, Options, Sample, given, lookup

NAME = "promptfoo"
ABOUT = "results of promptfoo eval -o, .json or .jsonl"
OUTPUT = "tests.json: test cases with the answers, for `tests:` of a configuration"
IDS = "test-N, the N-th of the different tests; answers to one test (--repeat) are answers to one id"
VARIABLE = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")
TEMPLATE = re.compile(r"\{\{|\{%")
ERROR = 2  # failureReason of a result whose failure is not due to assertions


def looks_like(keys: set[str]) -> bool:
    return {"evalId", "results"} <= keys or {"results", "config"} <= keys or {"testCase", "promptIdx"} <= keys


def read(source: Input, options: Options, counts: Counts) -> Iterator[Sample]:
    columns = _Columns()
    results = list(_results(source, counts))
    for result in results:
        columns.see(result)
    tests = _numbered_tests(results) if options.for_scores else {}
    for number, result in enumerate(results):
        if isinstance(result, ValueError):
            yield Sample(f"{source.stem}:{number + 1}", unreadable=True, named=False, error=str(result))
            continue
        sample = _sample(result, number, columns, counts)
        if options.for_scores:
            sample.test = _test_of(result)
            own_id = lookup(result, "testCase.metadata.leafscore_id")
            sample.score_id = f"test-{tests[dump(sample.test)]}" if own_id is MISSING else own_id
            _take_scores(sample, result)
        yield sample


def origin(source: Input) -> Origin:
    version = MISSING
    if "testCase" not in top_level_keys(source.head()):
        version = lookup(source.value(), "metadata.promptfooVersion")
    return Origin("promptfoo", version if isinstance(version, str) else "")


def _test_of(result: dict[str, Any]) -> dict[str, Any]:
    """Returns what identifies a test: its variables and asserts. promptfoo adds variables of its own, with a _."""
    test = result.get("testCase")
    test = test if isinstance(test, dict) else {}
    variables = test.get("vars", result.get("vars"))
    if isinstance(variables, dict):
        variables = {name: value for name, value in variables.items() if not name.startswith("_")}
    return {"vars": variables} | {
        name: test[name] for name in ("description", "assert", "threshold") if name in test
    }


def _numbered_tests(results: list[Any]) -> dict[str, int]:
    """Numbers of the different tests, from 0: with --repeat, promptfoo numbers each repeat as a test of its own."""
    first: dict[str, tuple[int, int]] = {}
    for number, result in enumerate(results):
        if isinstance(result, dict):
            index = result.get("testIdx")
            place = (index if isinstance(index, int) else number, number)
            test = dump(_test_of(result))
            first[test] = min(place, first.get(test, place))
    return {test: number for number, test in enumerate(sorted(first, key=lambda test: first[test]))}


def _take_scores(sample: Sample, result: dict[str, Any]) -> None:
    """The score and verdict of the test, and its named scores, unless it ended in an error."""
    if result.get("failureReason") == ERROR:
        sample.unscored = sample.error or as_text(result.get("error") or "promptfoo ended in an error")
        return
    mark = with_verdict(mark_of(result.get("score")), result.get("success"))
    named = result.get("namedScores")
    named = named if isinstance(named, dict) else {}
    sample.scores = ({} if mark is NOTHING else {"score": mark}) | {
        name: mark_of(value) for name, value in named.items() if name != "score"
    }


def _results(source: Input, counts: Counts) -> Iterator[Any]:
    """The results, from one document or from lines of them."""
    if "testCase" in top_level_keys(source.head()):
        for _, result in source.lines(counts):
            yield result
        return
    document = source.value()
    results = lookup(document, "results.results")
    if results is MISSING:
        results = lookup(document, "results")
    if not isinstance(results, list):
        raise ConvertError(
            f"{source.name} has no list of results: write it with promptfoo eval -o results.json"
        )
    for number, result in enumerate(results, 1):
        if not isinstance(result, dict):
            result = ValueError("it is no JSON object")
            counts.bad_line(source.name, number, f"result {number}: {result}")
        yield result


class _Columns:
    """Which columns of promptfoo's table a provider has: with several prompts, each is a candidate of its own."""

    def __init__(self) -> None:
        self._columns: dict[str, list[Any]] = {}

    def see(self, result: Any) -> None:
        if isinstance(result, dict):
            columns = self._columns.setdefault(_provider(result), [])
            if (column := str(result.get("promptIdx"))) not in columns:
                columns.append(column)
                columns.sort(key=lambda text: (len(text), text))

    def model(self, result: dict[str, Any]) -> str:
        """The provider, and which of its prompts where it has several."""
        provider = _provider(result)
        place = self._columns[provider].index(str(result.get("promptIdx")))
        return provider if len(self._columns[provider]) == 1 else f"{provider}/prompt-{place}"


def _provider(result: dict[str, Any]) -> str:
    provider = result.get("provider")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    return provider if isinstance(provider, str) else "none"


def _sample(result: dict[str, Any], number: int, columns: _Columns, counts: Counts) -> Sample:
    output = lookup(result, "response.output")
    error = lookup(result, "response.error") or (
        result.get("error") if result.get("failureReason") == ERROR else None
    )
    failed = bool(error) and output in (MISSING, None)
    own_id = lookup(result, "testCase.metadata.leafscore_id")
    test = result.get("testIdx")
    if test is None and own_id is MISSING:
        counts.add("no_id")
    sample = Sample(
        f"test-{number if test is None else dump(test)}" if own_id is MISSING else own_id,
        expected=_expected(result, counts),
        actual=MISSING if output is None else output,
        model=columns.model(result),
        error=(error if isinstance(error, str) else dump(error)) if failed else None,
        source=given(result),
    )
    description = lookup(result, "testCase.description")
    if isinstance(description, str):
        sample.extra["description"] = description
    return sample


def _expected(result: dict[str, Any], counts: Counts) -> Any:
    if (found := lookup(result, "testCase.metadata.expected")) is not MISSING:
        return found
    asserts = lookup(result, "testCase.assert")
    asserts = [each for each in asserts if isinstance(each, dict)] if isinstance(asserts, list) else []
    for each in asserts:
        if (found := lookup(each, "config.expected")) is not MISSING:
            return found
    rendered = _rendered_values(result)
    for number, each in enumerate(asserts):
        if each.get("type") == "equals" and "value" in each:
            return rendered[number] if number in rendered else _filled_in(each["value"], result, counts)
    return lookup(result, "vars.expected")


def _filled_in(value: Any, result: dict[str, Any], counts: Counts) -> Any:
    """A text with the variables that it names in place of their names; what else templates can do is not done."""

    def text_of(found: re.Match[str]) -> str:
        variable = lookup(result.get("vars"), found[1])
        return found.group() if variable is MISSING else as_text(variable)

    if not isinstance(value, str):
        return value
    text = VARIABLE.sub(text_of, value)
    if TEMPLATE.search(text):
        counts.add("templates")
    return text


def _rendered_values(result: dict[str, Any]) -> dict[int, Any]:
    """The values of assertions with their variables filled in, which promptfoo adds where there were any."""
    components = lookup(result, "gradingResult.componentResults")
    values = {}
    for number, component in enumerate(components if isinstance(components, list) else []):
        if (value := lookup(component, "metadata.renderedAssertionValue")) is not MISSING:
            values[number] = value
    return values


def write(records: Iterable[dict[str, Any]], output: str, counts: Counts) -> None:
    """A JSON array of test cases. promptfoo takes the answer from `providerOutput` and asks no provider."""
    with lines_to(output) as lines, _array(lines) as put:
        for record in records:
            put(dump(_test(record, counts), counts.add))


@contextmanager
def _array(lines: Any) -> Iterator[Any]:
    before: list[str] = []

    def put(text: str) -> None:
        lines.write(("," if before else "[") + text)
        before[:] = ["something"]

    yield put
    lines.write("]" if before else "[]")


def _test(record: dict[str, Any], counts: Counts) -> dict[str, Any]:
    answer = record.get("actual", "")
    if not isinstance(answer, (str, dict)):
        counts.add("as_json")
        answer = dump(answer, counts.add)
    if "actual" not in record:
        counts.add("empty_answer")
    metadata = {key: value for key, value in record.items() if key != "actual"}
    metadata["leafscore_id"] = metadata.pop("id")
    provider = Path(__file__).parents[1] / "integrations" / "promptfoo.py"
    return {
        "description": str(record["id"]),
        "vars": {},
        "providerOutput": answer,
        "assert": [{"type": "python", "value": f"file://{provider}:get_assert"}],
        "metadata": metadata,
    }
