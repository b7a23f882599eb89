"""The scorers as a typical evaluator in Python would have them: clear, standard library only, one pair at a time.

Each scorer is a function (expected, actual, config) -> dict with "score" (None when it cannot be read) and what else
it reports. They are what leafscore is measured against and compared with (bench/scorers_bench.py); check.py holds
them to the published vectors.
"""

import ast
import datetime
import json
import math
import re

MISSING = object()


# Strings and paths


def levenshtein_distance(a, b):
    """Wagner and Fischer's table, two rows of it."""
    if a == b:
        return 0
    if len(a) < len(b):
        a, b = b, a
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        current = [i]
        for j, y in enumerate(b, 1):
            if x == y:
                current.append(previous[j - 1])
            else:
                current.append(1 + min(previous[j], current[j - 1], previous[j - 1]))
        previous = current
    return previous[-1]


def string_similarity(a, b):
    longer = max(len(a), len(b))
    return 1.0 - levenshtein_distance(a, b) / longer if longer else 1.0


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def as_double(number):
    """The nearest double, infinite beyond the range."""
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)


def compact_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def as_text(value):
    return value if isinstance(value, str) else compact_json(value)


def find(value, path):
    """a.b[0].c; a number between dots is a position, too, where the value is an array."""
    for key, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
        if isinstance(value, dict):
            if (key or index) not in value:
                return MISSING
            value = value[key or index]
        elif isinstance(value, list) and (index or key.isdigit()):
            position = int(index or key)
            if position >= len(value):
                return MISSING
            value = value[position]
        else:
            return MISSING
    return value


def select(expected, actual, config):
    """The part of both sides that target_output_key names."""
    target = config.get("target_output_key", "*")
    if target == "*":
        return expected, actual
    if isinstance(expected, str):
        expected = json.loads(expected)

    def part(side, path):
        value = side if path == "*" else find(side, path)
        if value is MISSING:
            raise KeyError(path)
        return value

    if isinstance(target, str):
        return part(expected, target), part(actual, target)
    return {path: part(expected, path) for path in target}, {path: part(actual, path) for path in target}


# json_similarity


def count_leaves(value):
    if isinstance(value, dict):
        return sum(map(count_leaves, value.values()))
    if isinstance(value, list):
        return sum(map(count_leaves, value))
    return 1


def match_leaves(expected, actual):
    """Returns (matched, total) over the leaves of `expected`."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        matched, total = 0.0, 0
        for key, value in expected.items():
            if key in actual:
                m, t = match_leaves(value, actual[key])
                matched, total = matched + m, total + t
            else:
                total += count_leaves(value)
        return matched, total
    if isinstance(expected, list) and isinstance(actual, list):
        matched, total = 0.0, 0
        for i, value in enumerate(expected):
            if i < len(actual):
                m, t = match_leaves(value, actual[i])
                matched, total = matched + m, total + t
            else:
                total += count_leaves(value)
        return matched, total
    if is_number(expected) and is_number(actual):
        if expected == actual:
            return 1.0, 1
        e, a = as_double(expected), as_double(actual)
        if abs(e) <= 1e-12:
            return float(abs(a) <= 1e-12), 1
        return max(0.0, 1.0 - abs(e - a) / abs(e)), 1
    if isinstance(expected, str) and isinstance(actual, str):
        return string_similarity(expected, actual), 1
    if isinstance(expected, bool) and isinstance(actual, bool):
        return float(expected == actual), 1
    if expected is None and actual is None:
        return 1.0, 1
    return 0.0, count_leaves(expected)


def json_similarity(expected, actual, config):
    expected, actual = select(expected, actual, config)
    matched, total = match_leaves(expected, actual)
    return {"score": matched / total if total else 1.0, "matched_leaves": matched, "total_leaves": total}


# levenshtein


def levenshtein(expected, actual, config):
    expected, actual = select(expected, actual, config)
    threshold = config.get("threshold", 0.7)
    score, distance = 0.0, None
    if expected is not None:
        expected, actual = as_text(expected), as_text(actual)
        if not config.get("case_sensitive", False):
            expected, actual = expected.lower(), actual.lower()
        expected, actual = expected[:10000], actual[:10000]
        distance = levenshtein_distance(expected, actual)
        longer = max(len(expected), len(actual))
        score = math.floor((1 - distance / longer if longer else 1.0) * 100 + 0.5) / 100
    return {"score": score, "distance": distance, "label": "pass" if score >= threshold else "fail"}


# static_json

ANSWER_LABELS = [
    re.compile(r"^[ \t]*" + label + r"[ \t]*:?(.*)", re.IGNORECASE | re.MULTILINE | re.DOTALL)
    for label in (r"<Answer>", r"Final\s+Answer", "Answer", "Output", "Result", "Response")
]
FENCE = re.compile(r"```(?:json|python|py)?\s*(.*?)```", re.IGNORECASE | re.DOTALL)
# A number that is no part of a word, nor of a name such as "Chiller 6".
COUNT = re.compile(r"(?<![A-Za-z0-9_.])(?<![A-Z][a-z] )[-+]?\d+(?:\.\d+)?(?![A-Za-z0-9_])")


def parse_structure(text):
    """A JSON text, a Python literal, or JSON with single quotes; MISSING when it is none of them."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    try:
        return json.loads(text.replace("'", '"'))
    except (ValueError, RecursionError):
        return MISSING


def balanced_candidates(text, opener, closer):
    """The outermost balanced pieces of a text, in order; brackets in quotes within them do not count."""
    pieces, open_at, quote, escaped = [], [], "", False
    for i, c in enumerate(text):
        if quote:
            if escaped:
                escaped = False
            elif c == "\\":
                escaped = True
            elif c == quote:
                quote = ""
        elif c in "\"'" and open_at:
            quote = c
        elif c == opener:
            open_at.append(i)
        elif c == closer and open_at:
            begin = open_at.pop()
            while pieces and pieces[-1][0] > begin:
                pieces.pop()
            pieces.append((begin, i + 1))
    return [text[begin:end] for begin, end in pieces]


def read_answer(text, top_level):
    """Reads what an answer's text holds; the trimmed text itself when there is no structure in it."""
    text = text.strip()
    for label in ANSWER_LABELS:
        found = label.search(text)
        if found:
            text = found.group(1).strip()
            break
    fence = FENCE.search(text)
    if fence:
        text = fence.group(1).strip()
    value = parse_structure(text)
    if value is not MISSING:
        return value
    for opener, closer in ("{}", "[]", "()"):
        for candidate in reversed(balanced_candidates(text, opener, closer)):
            value = parse_structure(candidate)
            if value is not MISSING:
                return value
    if top_level:
        for part in (text, text.rpartition("\n")[2]):
            counts = COUNT.findall(part)
            if len(counts) == 1:
                return ast.literal_eval(counts[0].lstrip("+"))
    return text


def flatten(value, key, flat):
    if isinstance(value, str):
        value = read_answer(value, top_level=False)
    if isinstance(value, dict):
        for name, member in value.items():
            flatten(member, f"{key}.{name}", flat)
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            flatten(item, f"{key}[{i}]", flat)
    else:
        flat[key] = normalise(value)


def normalise(value):
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return str(value).strip().lower()


def as_float(text):
    try:
        return float(text)
    except ValueError:
        return None


def leaf_similarity(gold, model):
    """Returns (similarity, exact)."""
    if gold == model:
        return 1.0, True
    g, m = as_float(gold), as_float(model)
    if g is not None and m is not None:
        if g == 0:
            return float(m == 0), False
        error = abs(g - m) / abs(g)
        return (0.9 if error < 0.01 else 0.7 if error < 0.05 else 0.5 if error < 0.1 else 0.0), False
    a, b = set(gold), set(model)
    similarity = len(a & b) / len(a | b) if a | b else 1.0
    if gold in model or model in gold:
        similarity = max(similarity, 0.6)
    return similarity, False


def static_json(expected, actual, config):
    threshold = config.get("similarity_threshold", 0)
    flats = []
    for side in (expected, actual):
        flat = {}
        value = read_answer(side, top_level=True) if isinstance(side, str) else side
        flatten(value, "answer", flat)
        flats.append(flat)
    gold, model = flats
    common = sorted(gold.keys() & model.keys())
    missing = sorted(gold.keys() - model.keys())
    extra = sorted(model.keys() - gold.keys())
    rows, exact_matches, similarity_sum = [], 0, 0.0
    for key in common:
        similarity, exact = leaf_similarity(gold[key], model[key])
        exact_matches += exact
        similarity_sum += similarity
        kind = "exact" if exact else f"partial ({similarity:.2f})" if similarity > threshold else "mismatch"
        rows.append((key, gold[key], model[key], exact, kind, similarity))
    rows += [(key, gold[key], "MISSING", False, "missing", 0.0) for key in missing]
    rows += [(key, "NOT_IN_GOLD", model[key], False, "extra", 0.0) for key in extra]
    recall = exact_matches / len(gold) if gold else 0.0
    precision = exact_matches / len(model) if model else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {
        "passed": gold == model,
        "score": round(f1, 3),
        "details": {
            "partial_exact_match_accuracy": recall,
            "strict_exact_match_accuracy": float(gold == model),
            "partial_similarity_score": similarity_sum / len(gold) if gold else 0.0,
            "precision": precision,
            "recall": recall,
            "f1": f1,
            "total_gold_keys": len(gold),
            "total_model_keys": len(model),
            "matched_keys": len(common),
            "exact_value_matches": exact_matches,
            "missing_keys": missing,
            "extra_keys": extra,
            "details": [
                dict(zip(("key", "gold_value", "model_value", "exact", "match_type", "similarity"), row))
                for row in rows
            ],
        },
    }


# field_accuracy

MONTHS = {
    name: number
    for number, names in enumerate(
        "january february march april may june july august september october november december".split(), 1
    )
    for name in (names, names[:3])
} | {"sept": 9}
ISO_DATE = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$"
)
NUMERIC_DATE = re.compile(r"(\d{1,2})([-/])(\d{1,2})\2(\d{4})$")
NAMED_DATE = re.compile(r"(\d{1,2})-([A-Za-z]+)-(\d{4})$")
DAY_FIRST = {"DD/MM/YYYY", "DD-MM-YYYY"}
MONTH_FIRST = {"MM/DD/YYYY", "MM-DD-YYYY"}


def parse_date(text, formats):
    """The calendar day in UTC, or None."""
    if not isinstance(text, str):
        return None
    text = text.strip()
    try:
        found = ISO_DATE.match(text)
        if found:
            year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
            zone = found.group(8)
            moment = datetime.datetime(year, month, day, hour, minute, second)
            if zone and zone != "Z":
                offset = datetime.timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
                moment -= offset if zone[0] == "+" else -offset
            return moment.date()
        found = NAMED_DATE.match(text)
        if found:
            month = MONTHS.get(found.group(2).lower())
            return month and datetime.date(int(found.group(3)), month, int(found.group(1)))
        found = NUMERIC_DATE.match(text)
        if found:
            first, second, year = int(found.group(1)), int(found.group(3)), int(found.group(4))
            day_first, month_first = bool(DAY_FIRST & set(formats)), bool(MONTH_FIRST & set(formats))
            if day_first == month_first:
                day_first = first > 12
            day, month = (first, second) if day_first else (second, first)
            return datetime.date(year, month, day)
    except ValueError:
        pass
    return None


def deep_equal(a, b):
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(deep_equal(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(deep_equal, a, b))
    if isinstance(a, float) or isinstance(b, float):
        return is_number(a) and is_number(b) and as_double(a) == as_double(b)
    return a == b


def parse_object(text):
    """The outermost {...} of an answer's text. Raises ValueError where there is none."""
    fence = FENCE.search(text)
    if fence:
        text = fence.group(1)
    begin, end = text.find("{"), text.rfind("}")
    return json.loads(text[begin : end + 1])


def as_finite(value):
    number = as_double(value) if is_number(value) else as_float(value) if isinstance(value, str) else None
    return number if number is not None and math.isfinite(number) else None


def score_field(field, expected, actual):
    match = field.get("match", "exact")
    if match == "numeric_tolerance":
        e, a = as_finite(expected), as_finite(actual)
        if e is None or a is None:
            return 0.0
        error = abs(a - e) / abs(e) if field.get("relative", False) and e != 0 else abs(a - e)
        return float(error <= field.get("tolerance", 0))
    if match == "date":
        formats = field.get("formats", [])
        e = parse_date(expected, formats)
        return float(e is not None and e == parse_date(actual, formats))
    if match == "fuzzy":
        similarity = string_similarity(as_text(expected), as_text(actual))
        return similarity if similarity >= field.get("threshold", 0.85) else 0.0
    return float(deep_equal(expected, actual))


def field_accuracy(expected, actual, config):
    try:
        expected, actual = (parse_object(side) if isinstance(side, str) else side for side in (expected, actual))
    except ValueError:
        return {"score": None}  # unreadable
    hits, misses, weighted, weights = [], [], 0.0, 0.0
    for field in config["fields"]:
        path, weight = field["path"], field.get("weight", 1.0)
        e, a = find(expected, path), find(actual, path)
        if e is MISSING:
            score = 1.0
        elif a is MISSING and not field.get("required", True):
            score, weight = 1.0, 0.0
        else:
            score = 0.0 if a is MISSING else score_field(field, e, a)
        (hits if score > 0 else misses).append(path)
        weighted += score * weight
        weights += weight
    if config.get("aggregation") == "all_or_nothing":
        score = float(not misses)
    else:
        score = weighted / weights if weights else float(not config["fields"])
    return {"score": score, "hits": hits, "misses": misses}


# strict_json


def strict_json(expected, actual, config):
    if not isinstance(expected, dict):  # one key, the whole
        expected, actual = {"": expected}, {"": actual}
    n = len(expected)
    if not isinstance(actual, dict):
        return {"score": 0.0}
    extra = sum(key not in expected for key in actual)
    if n == 0:
        return {"score": float(extra == 0)}
    penalty = 10 / n * extra
    for key, value in expected.items():
        if key not in actual:
            penalty += 100 / n
        elif not deep_equal(value, actual[key]):
            matched, total = match_leaves(value, actual[key])
            similar = (matched / total if total else 1.0) >= config.get("similar_threshold", 0.5)
            penalty += (50 if similar else 100) / n
    return {"score": max(0.0, 100 - penalty) / 100}


# json_diff


def parse_if_container(text):
    if text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass
    return text


def diff_score(expected, actual, preserve_strings):
    if not preserve_strings:
        expected, actual = (
            parse_if_container(side) if isinstance(side, str) else side for side in (expected, actual)
        )
    if isinstance(expected, dict) and isinstance(actual, dict):
        keys = expected.keys() | actual.keys()
        scores = [diff_score(expected.get(key), actual.get(key), preserve_strings) for key in keys]
        return math.fsum(scores) / len(scores) if scores else 1.0
    if isinstance(expected, list) and isinstance(actual, list):
        longer = max(len(expected), len(actual))
        scores = [diff_score(e, a, preserve_strings) for e, a in zip(expected, actual)]
        return math.fsum(scores) / longer if longer else 1.0
    if isinstance(expected, str) and isinstance(actual, str):
        return string_similarity(expected, actual)
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)):
        e, a = as_double(expected), as_double(actual)
        return 1.0 - abs(e - a) / (abs(e) + abs(a)) if e or a else 1.0
    if expected is None or actual is None:
        return float(expected is None and actual is None)
    texts = [json.dumps(side, ensure_ascii=False, separators=(",", ":"), sort_keys=True) for side in (expected, actual)]
    return string_similarity(*texts)


def json_diff(expected, actual, config):
    return {"score": diff_score(expected, actual, config.get("preserve_strings", False))}


SCORERS = {
    "json_similarity": json_similarity,
    "levenshtein": levenshtein,
    "static_json": static_json,
    "field_accuracy": field_accuracy,
    "strict_json": strict_json,
    "json_diff": json_diff,
}
