"""An assertion for promptfoo, which calls `get_assert` of this file:

    assert:
      - type: python
        value: file:///path/to/leafscore/integrations/promptfoo.py   # python3 -m leafscore.integrations.promptfoo
        config: {scorer: json_similarity, expected: {total: 12.5}}

The expected value is `expected` of the config, of the test's metadata or of the variables, the first that is there. The
assertion passes where the score reaches the `threshold` of the config, which is 1 unless it is given, or where the
scorer itself says that it passes.
"""

from __future__ import annotations

from typing import Any

MISSING = object()


def get_assert(output: Any, context: dict[str, Any]) -> dict[str, Any]:
    """RETURNS: what promptfoo calls a GradingResult."""
    from leafscore.integrations.verdicts import judge

    config = context.get("config") or {}
    expected = _expected(config, context)
    if expected is MISSING:
        return _result(
            False,
            0.0,
            "leafscore: no expected value: give config.expected, metadata or a variable of that name",
        )
    verdict = judge(expected, output, config.get("scorer", "json_similarity"))
    threshold = float(config["threshold"]) if "threshold" in config else None
    return _result(verdict.passes(threshold), verdict.score, verdict.reason)


def _expected(config: dict[str, Any], context: dict[str, Any]) -> Any:
    metadata = (context.get("test") or {}).get("metadata") or {}
    for place in (config, metadata, context.get("vars") or {}):
        if "expected" in place:
            return place["expected"]
    return MISSING


def _result(passed: bool, score: float, reason: str) -> dict[str, Any]:
    return {"pass": passed, "score": score, "reason": reason}


if __name__ == "__main__":
    print(f"file://{__file__}:get_assert")
