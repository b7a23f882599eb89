"""Where models that judge are asked, what is kept of their replies, and what they may cost."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Union

from . import _core
from ._errors import Error
from ._paths import path_of

_Path = Union[str, "os.PathLike[str]"]


class Judges:
    """The services that `llm_judge` and `llm_judge_strict_json` ask, for all calls that get it as `judges`.

    >>> judges = Judges(dry_run=True)
    >>> judges.report()["requests"]
    0

    Any number of threads may use one; a process that was forked makes its own. As a context manager it closes itself.
    """

    def __init__(
        self,
        *,
        cache: _Path | None = None,
        replay: bool = False,
        dry_run: bool = False,
        retry_errors: bool = False,
        max_requests: int | None = None,
        max_cost: float | None = None,
        at_budget: str = "stop",
        prices: Mapping[str, Mapping[str, float]] | _Path | None = None,
    ) -> None:
        """Takes the options of the command (docs/judges.md).

        Args:
            cache: a file that keeps each reply, so that nothing is asked twice.
            replay: take replies from the cache alone, and ask nobody.
            dry_run: ask nobody, and count what would be asked; every record that needs a model is an error then.
            retry_errors: also ask again where the cache has as many replies without a score as `max_retries` allows.
            max_requests, max_cost: questions, and dollars, of all calls together.
            at_budget: what becomes of questions beyond these: "stop" ends the call by an Error, whose `code` is
                "resources"; "error" makes errors of the records (`judge_budget`).
            prices: dollars per million tokens, {"gpt-4o": {"input": 2.5, "output": 10}}, or the path of a file of them;
                they come before the built-in ones.

        Raises:
            Error: for options that do not go together, prices that are none, and a cache that cannot be used.
            OSError: for a file of prices that cannot be read.
        """
        rules: dict[str, Any] = {"replay": replay, "dry_run": dry_run, "retry_errors": retry_errors}
        rules.update({"max_requests": max_requests, "max_cost": max_cost, "at_budget": at_budget})
        if cache is not None:
            rules["cache"] = os.fspath(cache)
            if not rules["cache"]:
                raise Error("the name of the cache is empty")
        if isinstance(prices, Mapping):
            rules["prices"] = json.dumps(prices)
        elif prices is not None:
            with open(path_of(prices, "prices is a dict, or the path of a file"), encoding="utf-8") as file:
                rules["prices"] = file.read() or "{}"
            rules["prices_name"] = os.fspath(prices)
        self._judges = _core.Judges(rules)
        self.dry_run = dry_run

    def report(self) -> dict[str, Any]:
        """Returns what was asked so far, as `judges` in summaries: requests, cost, why replies had no score."""
        report: dict[str, Any] = json.loads(self._judges.report())
        return report

    def __repr__(self) -> str:
        report = self.report()
        cost = "" if report["cost"] is None else f", ${report['cost']:.4f}"
        return f"<Judges: {report['requests']:,} requests, {report['cached']:,} from the cache{cost}>"

    def _repr_html_(self) -> str:
        from . import _html  # here, as most programs show nothing

        return _html.view(_html.paragraph("What judges were asked:"), _html.facts(self.report()))

    def close(self) -> None:
        """Waits for what is under way, and lets go of the cache."""
        self._judges.close()

    def __enter__(self) -> Judges:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("judges do not pickle: make them in the process that asks")
