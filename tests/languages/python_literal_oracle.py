"""Says of texts whether ast.literal_eval agrees with what PythonLiteralToJson made of them.

Prints "ready", then a line for each line of standard input, which is a JSON array: a text, and the JSON it
became, or null when it was refused. The answer is "accepted" or "refused" when both do the same, "unknown"
where the two may differ (Python reads brackets less deep and names of characters, may know another version of
Unicode, and has two keys where JSON has one text), else what is wrong.
"""

import ast
import json
import math
import sys
import unicodedata
import warnings


def joined(text):
    """In JSON, two escaped surrogates in a row are one character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def python_text(value):
    if isinstance(value, set):
        texts = sorted((repr(v).encode() for v in value), key=lambda t: (len(t), t))
        return "{" + ", ".join(t.decode() for t in texts) + "}" if texts else "set()"
    return str(value)


def plain(value):
    """The value as json.loads gives it."""
    if isinstance(value, dict):
        return {joined(python_text(k)): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, str):
        return joined(value)
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        str(value)  # raises ValueError when it has too many digits to have a text
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


def has_unassigned(value):
    """Whether a character in the value may be known to another version of Unicode."""
    text = ascii(value).encode().decode("unicode_escape")
    return any(unicodedata.category(c) == "Cn" for c in text)


def has_clashing_keys(value):
    """Whether two keys of a dict in the value have one text, as 1 and '1' have."""
    if isinstance(value, dict):
        texts = {joined(python_text(k)) for k in value}
        return len(texts) < len(value) or any(map(has_clashing_keys, value.values()))
    return isinstance(value, (list, tuple)) and any(map(has_clashing_keys, value))


def verdict(text, made):
    try:
        value = ast.literal_eval(text.strip())
        expected = plain(value)
    except (MemoryError, RecursionError):
        return "unknown"
    except (ValueError, SyntaxError, TypeError, OverflowError) as error:
        if made is None:
            return "refused"
        return "unknown" if "too many nested" in str(error) else f"{text!a} became {made!a}, Python refuses it"
    if made is not None and same(json.loads(made), expected):
        return "accepted"
    if made is None and "\\N{" in text:
        return "unknown"
    if has_unassigned(value) or has_clashing_keys(value):
        return "unknown"
    return f"{text!a} became {made!a}, in Python {value!a}"


def main():
    warnings.simplefilter("ignore")  # of escapes that Python does not know
    if sys.version_info < (3, 9):
        sys.exit("too old: literal_eval does not read set()")
    print("ready", flush=True)
    for line in sys.stdin:
        print(verdict(*json.loads(line)), flush=True)


if __name__ == "__main__":
    main()
