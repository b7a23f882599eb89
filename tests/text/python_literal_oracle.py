"""Checks what PythonLiteralToJson made of texts against Python's own ast.literal_eval.

Each line of standard input is a JSON array: a text, and the JSON it became, or null when it was refused.
Prints every disagreement, then "N checked, M accepted"; exits with 1 when there was a disagreement.
"""

import ast
import json
import math
import sys
import warnings


def joined(text):
    """Escaped halves of one character are one character in JSON."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def python_text(value):
    if isinstance(value, (set, frozenset)):
        texts = sorted((repr(v).encode() for v in value), key=lambda t: (len(t), t))
        return "{" + ", ".join(t.decode() for t in texts) + "}" if texts else "set()"
    return str(value)


def plain(value):
    """The value as json.loads would give it."""
    if isinstance(value, dict):
        return {joined(python_text(k)): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, str):
        return joined(value)
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        str(value)  # raises when it has too many digits to have a text
        return value
    return python_text(value)


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float):
        return a == b and math.copysign(1, a) == math.copysign(1, b)
    return a == b


def evaluate(text):
    try:
        return True, plain(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, TypeError, OverflowError, MemoryError, RecursionError):
        return False, None


def main():
    warnings.simplefilter("ignore")  # of escapes that Python does not know
    checked = accepted = wrong = 0
    for line in sys.stdin:
        text, made = json.loads(line)
        good, value = evaluate(text)
        checked += 1
        accepted += good
        if good != (made is not None) or (good and not same(json.loads(made), value)):
            wrong += 1
            if wrong <= 20:
                print(f"{text!a} became {made!a}, Python: {value!a}" if good else f"{text!a} became {made!a}")
    print(f"{checked} checked, {accepted} accepted")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
