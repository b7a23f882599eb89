#!/usr/bin/env python3
"""Makes test records for the causes of lost points: prints JSON Lines, the same ones in every run.

Each record is {"id", "expected", "actual", "causes"}. A random clean expected value (an invoice, a person,
a ticket, a product, a list of such, or a plain text, number or date) gets an answer with one planted cause:
40 answers for each of the 23 causes, the rest of the answer right. Then come 600 answers with no cause:
values replaced by other plausible ones, the structure and the keys as expected.

    python3 make_causes.py > causes_made.jsonl
"""
import datetime
import json
import random
import re

rng = random.Random(20261127)
pick = rng.choice
EACH, CLEAN = 40, 600

FIRST = "Amara Bogdan Chiara Dmitri Eero Fatima Gustavo Hana Ilse Jomo Katrin Luca Mireille Nikos Odile".split()
LAST = "Abara Brandt Castillo Dufour Eklund Ferrari Grünwald Haddad Ivanova Jensen Kowalski Larsen Moreau".split()
CITIES = ["Porto", "Nantes", "Kraków", "Uppsala", "San José", "Cape Town", "Nagoya", "Leipzig", "Tampere",
          "Quebec City",
          "Valparaíso", "Windhoek"]
STREETS = ["Mill Lane", "Station Road", "Rue Pasteur", "Gartenweg", "Via Dante", "Harbour Street", "Calle Sol"]
FIRMS = ["Nordwind GmbH", "Blue Fern Ltd", "Atelier Roux", "Kestrel Tools", "Ostrava Steel", "Lumen Optics",
         "Pine & Co"]
GOODS = ["Oak shelf", "Desk lamp", "Steel hinge", "Paint roller", "Copper wire", "Wall clock", "Garden hose",
         "Tile saw",
         "Door mat", "Bike pump", "Soup ladle", "Camping stove", "Picture frame"]
JOBS = ["Nurse", "Civil engineer", "Baker", "Data analyst", "Electrician", "Teacher", "Ship captain", "Florist"]
TITLES = ["Login page stays blank", "Export drops umlauts", "Cart total is off by one", "Mail arrives twice",
          "Search ignores hyphens", "App freezes on rotation", "Map tiles load slowly", "Avatar is not saved"]
STATES = ["open", "in progress", "waiting for customer", "resolved", "closed", "reopened"]
LABELS = ["frontend", "backend", "billing", "mobile", "security", "docs", "performance", "accessibility", "database",
          "search", "export", "login", "payments", "translation"]
COLOURS = ["Crimson", "Olive green", "Slate grey", "Ivory", "Dark teal", "Amber", "Pale rose", "Navy",
           "Charcoal"]
MATERIALS = ["Birch wood", "Stainless steel", "Wool felt", "Recycled glass", "Linen", "Ceramic"]
MOODS = ["strongly negative", "negative", "mixed", "positive", "strongly positive"]
POOLS = [FIRST, LAST, CITIES, STREETS, FIRMS, GOODS, JOBS, TITLES, STATES, LABELS, COLOURS, MATERIALS, MOODS,
         [f + " " + l for f in FIRST for l in LAST]]
MONTHS = "January February March April May June July August September October November December".split()
ISO = re.compile(r"\d{4}-\d\d-\d\d$")


# Expected values

def day():
    return (datetime.date(2019, 1, 1) + datetime.timedelta(rng.randrange(3000))).isoformat()


def money():
    return round(rng.uniform(3, 4000), 2)


def person_name():
    return pick(FIRST) + " " + pick(LAST)


def address():
    return {"street_name": pick(STREETS), "house_number": rng.randint(1, 190), "city": pick(CITIES)}


def invoice():
    items = [{"item_name": name, "quantity": rng.randint(1, 60), "unit_price": money()}
             for name in rng.sample(GOODS, pick([2, 2, 3, 4, 5]))]
    value = {"invoice_number": f"INV-{rng.randint(10000, 99999)}", "issue_date": day(), "vendor_name": pick(FIRMS),
             "items": items, "total_amount": money()}
    if rng.random() < 0.4:
        value["is_paid"] = rng.random() < 0.5
    if rng.random() < 0.3:
        value["billing_address"] = address()
    return value


def person():
    value = {"full_name": person_name(), "birth_date": day(), "job_title": pick(JOBS),
             "years_employed": rng.randint(1, 39), "home_address": address()}
    if rng.random() < 0.5:
        value["known_colours"] = rng.sample(COLOURS, 3)
    if rng.random() < 0.4:
        value["has_licence"] = rng.random() < 0.5
    return value


def ticket():
    value = {"ticket_id": rng.randint(1000, 99999), "title": pick(TITLES), "status": pick(STATES), "opened_on": day(),
             "labels": rng.sample(LABELS, rng.randint(2, 4))}
    if rng.random() < 0.5:
        value["reporter"] = {"full_name": person_name(), "office_city": pick(CITIES)}
    if rng.random() < 0.5:
        value["is_urgent"] = rng.random() < 0.5
    return value


def product():
    value = {"product_name": pick(GOODS), "unit_price": money(), "in_stock": rng.random() < 0.5,
             "released_on": day(), "main_material": pick(MATERIALS)}
    if rng.random() < 0.6:
        value["colour_options"] = rng.sample(COLOURS, rng.randint(2, 4))
    if rng.random() < 0.6:
        value["box_size"] = {"width_cm": rng.randint(5, 40), "height_cm": rng.randint(41, 90)}
    return value


DOMAINS = [("invoice", invoice), ("person", person), ("ticket", ticket), ("product", product)]
LISTS = [lambda: rng.sample(LABELS, rng.randint(4, 6)), lambda: rng.sample(CITIES, rng.randint(4, 5)),
         lambda: [{"item_name": n, "unit_price": money()} for n in rng.sample(GOODS, rng.randint(2, 4))],
         lambda: [{"full_name": f + " " + pick(LAST), "birth_date": day()} for f in rng.sample(FIRST, 3)]]


def structure():
    """An object of one of the four domains, in every fifth case an array, its keys in some style."""
    value = pick(LISTS)() if rng.random() < 0.2 else pick(DOMAINS)[1]()
    return restyle(value, pick(["snake", "snake", "snake", "camel", "title", "kebab"]))


def plain_text():
    return pick([pick(CITIES), pick(MOODS), pick(STATES), pick(JOBS), person_name(), pick(LABELS)])


def plain():
    return pick([plain_text, plain_text, lambda: rng.randint(2, 900), money, day])()


# Walking and changing values

def restyle(value, style):
    """The value with its keys (of any style) in the given one."""
    def key(name):
        words = re.sub(r"([a-z])([A-Z])", r"\1 \2", name).replace("_", " ").replace("-", " ").lower().split()
        if style == "camel":
            return words[0] + "".join(w.capitalize() for w in words[1:])
        if style in ("title", "pascal"):
            return (" " if style == "title" else "").join(w.capitalize() for w in words)
        if style == "upper":
            return "_".join(words).upper()
        return {"snake": "_", "kebab": "-", "spaced": " ", "glued": ""}[style].join(words)
    if isinstance(value, dict):
        return {key(k): restyle(v, style) for k, v in value.items()}
    return [restyle(v, style) for v in value] if isinstance(value, list) else value


def mapped(value, change):
    """The value with each leaf replaced by change(leaf)."""
    if isinstance(value, dict):
        return {k: mapped(v, change) for k, v in value.items()}
    return [mapped(v, change) for v in value] if isinstance(value, list) else change(value)


def leaves(value):
    found = []
    mapped(value, found.append)
    return found


def is_number(leaf):
    return isinstance(leaf, (int, float)) and not isinstance(leaf, bool)


def is_day(leaf):
    return isinstance(leaf, str) and ISO.match(leaf) is not None


def is_words(leaf):
    return isinstance(leaf, str) and not is_day(leaf)


def other(leaf, taken):
    """Another plausible leaf of the same kind that is none of the taken ones."""
    if isinstance(leaf, bool):
        return not leaf
    while True:
        if isinstance(leaf, int):
            new = max(1, leaf + pick([-1, 1]) * rng.randint(1, 9 + leaf // 3))
        elif isinstance(leaf, float):
            new = money()
        elif is_day(leaf):
            new = (datetime.date.fromisoformat(leaf) + datetime.timedelta(rng.randint(40, 900))).isoformat()
        else:
            pools = [pool for pool in POOLS if leaf in pool]
            new = pick(pools[0]) if pools else re.sub(r"\d", lambda _: str(rng.randint(0, 9)), leaf)
        if new not in taken:
            return new


def with_wrong(value, count):
    """The value with that many leaves wrong."""
    all_leaves = leaves(value)
    wrong = set(rng.sample(range(len(all_leaves)), count))
    taken, at = list(all_leaves), iter(range(len(all_leaves)))

    def change(leaf):
        if next(at) not in wrong:
            return leaf
        taken.append(other(leaf, taken))
        return taken[-1]
    return mapped(value, change)


def dumps(value):
    return json.dumps(value, ensure_ascii=rng.random() < 0.1, indent=pick([None, None, None, 1, 2]))


# Words around an answer

BEFORE = ["Of course, this is what I found:", "I read the document twice. My result:",
          "Done. Please find the data below.",
          "The fields you wanted are these:", "Hier sind die Daten:", "Voici les données demandées :",
          "Okay, let me put that together for you.", "After going through the text, I arrive at", "As requested:"]
AFTER = ["Tell me if another format suits you better.", "I left nothing out.", "Hope that helps!",
         "All values are taken from the source.", "Bei Fragen gerne melden.", "Shall I go on with the next page?"]
MARKS = ["Answer:", "Output:", "Result =>", "JSON:", "Final answer:", "Extraction -", "Ergebnis:", "Réponse :"]
REFUSALS = [
    "I'm sorry, but I can't help with that.", "Sorry, I am not able to share personal information about individuals.",
    "I can't assist with this request.", "I cannot comply with that request, as it may violate someone's privacy.",
    "I apologize, but I'm unable to process this document.", "I must respectfully decline to answer this question.",
    "As an AI assistant I am not allowed to do that.", "As a language model, I cannot open files or links.",
    "I don't feel comfortable answering this, so I will not.", "Unfortunately, I cannot fulfill your request.",
    "This request goes against my guidelines, so I won't be able to help.", "I'm not able to determine that from here.",
    "I do not have enough information to answer this.", "I'd rather not answer that. Is there something else you need?",
    "Leider kann ich diese Anfrage nicht beantworten.", "Tut mir leid, dabei kann ich nicht helfen.",
    "Je suis désolé, mais je ne peux pas vous aider avec cela.", "Je ne suis pas en mesure de traiter cette demande.",
    "Lo lamento, pero no puedo proporcionar esa información.",
    "Mi dispiace, ma non posso aiutarti con questa richiesta.",
    "No, I won't extract data from this. It seems to be confidential.", "I refuse to answer this question.",
    "Desculpe, mas não posso ajudar com isso.", "I am programmed to be harmless, therefore I cannot answer this."]
FAILURES = [
    "Error code: 429 - rate limit exceeded, retry after 31 seconds", "Rate limit reached for model on tokens per min.",
    "504 Gateway Timeout", "HTTP/1.1 500 Internal Server Error", "The request timed out.",
    "ReadTimeout: timed out after 30 s",
    "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
    "Traceback (most recent call last):\n  File \"worker.py\", line 51, in run\n    reply = ask(text)\n"
    "KeyError: 'choices'",
    "java.net.SocketTimeoutException: Read timed out\n"
    "\tat java.base/sun.nio.ch.NioSocketImpl.read(NioSocketImpl.java:288)",
    "TypeError: Cannot read properties of undefined (reading 'content')\n    at main (/app/index.js:14:22)",
    "Error: connect ECONNREFUSED 10.0.4.7:8080", "curl: (28) Operation timed out after 60001 milliseconds",
    "insufficient_quota: You exceeded your current quota, please check your plan and billing details.",
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens.",
    "<html><head><title>503 Service Temporarily Unavailable</title></head><body></body></html>",
    "requests.exceptions.ConnectionError: Max retries exceeded with url: /v1/chat",
    "CUDA out of memory. Tried to allocate 2 GiB",
    "ERROR: 401 Unauthorized - invalid API key", "Service unavailable. Please try again later.",
    {"error": "model_not_found"}, {"error": {"type": "rate_limit_error", "message": "Too many requests"}},
    {"error": {"code": 503, "message": "Backend is overloaded"}}, {"error": "timeout", "message": "no reply in 45 s"},
    {"error": {"message": "Invalid API key", "param": None}}, '{"error": {"message": "Bad gateway", "code": 502}}']
SAYS = ["The answer is {}.", "I would say it is {}.", "According to the text, {} is right.", "Answer: {}",
        "Final answer: {}",
        "It says {} in the second paragraph.", "My choice is {}, because the text names it.", "**Result:** {}",
        "Having read everything, I settle on {}.", "Die Antwort lautet {}.", "La réponse est {}.",
        "{} is what they ask for here."]
WRAPPERS = ("result output data response answer payload extraction json parsed content".split()
            + ["Extracted Data", "ergebnis"])
BESIDE = [("confidence", 0.88), ("explanation", "Read from the first page."), ("model", "mini-3"),
          ("warnings", ["low contrast"]), ("tokens", 318), ("ok", True), ("reasoning", "The header names it.")]
ADDED = [("internal_note", "checked twice"), ("source_page", 3), ("language", "en"), ("probability", 0.61),
         ("reviewed_by", "QA team"), ("category_code", "C-17"), ("region", "north"), ("revision", 12),
         ("archived", False), ("summary", "a routine case"),
         ("meta", {"parser": "v8", "hash": "9f2c", "size_kb": 14, "pages": 2}),
         ("keywords", ["alpha", "beta", "gamma"]),
         ("contact", {"desk": "B4", "extension": 219, "hours": "9-17"}), ("history", ["made", "sent", "seen"]),
         ("rating", 4.2), ("origin", "scan"), ("channel", "web"), ("deadline", "none"), ("budget", 5200),
         ("mood", "calm")]


# The causes: each function takes a clean value and returns (expected, actual), or None where the value does not fit

def no_value(value):
    return value, None


def empty(value):
    blanks = ["", "", " ", "\n", "   \n\t"]
    return value, pick(blanks + [type(value)()] * 5 if isinstance(value, (dict, list)) else blanks)


def refusal(value):
    return value, pick(REFUSALS) + pick(["", "", " Please ask somebody who is in charge.", " I hope you understand."])


def failure(value):
    return value, pick(FAILURES)


def cut_off(value):
    text = dumps(value)
    text = text[:rng.randint(len(text) * 2 // 5, len(text) * 24 // 25)]
    lead = ["", "", "", pick(BEFORE) + "\n", pick(MARKS) + " ", "```json\n", pick(BEFORE) + "\n\n```\n"]
    return value, pick(lead) + text


def prose(value):
    facts = []
    for name, v in value.items() if isinstance(value, dict) else [("entry", v) for v in value]:
        facts.append((restyle({name: 0}, "spaced").popitem()[0], " and ".join(str(leaf) for leaf in leaves(v))))
    return value, pick([
        lambda: "Here is what I can tell: " + "; ".join(f"the {n} is {v}" for n, v in facts) + ".",
        lambda: "\n".join(f"- **{n.capitalize()}**: {v}" for n, v in facts),
        lambda: "Summary\n\n" + "\n".join(f"{n} = {v}" for n, v in facts),
        lambda: "| field | value |\n|---|---|\n" + "\n".join(f"| {n} | {v} |" for n, v in facts),
        lambda: f"The text deals with {facts[0][1]}. More to the point, the {facts[-1][0]} would be {facts[-1][1]}.",
        lambda: "First I look at the heading, then at the body. " + " ".join(f"For {n} I read {v}."
                           for n, v in facts[:3]),
        lambda: f"Es geht um {facts[0][1]}, dazu steht noch {facts[1][1]} im Text."])()


def malformed(value):
    text = dumps(value)
    new = pick([
        lambda: re.sub(r'"([A-Za-z_]+)":', r"\1:", text),
        lambda: re.sub(r',(\s*"[^"]+":)', r"\1", text, count=1),
        lambda: re.sub(r'"([^"]+)":', r'"\1" =', text),
        lambda: re.sub(r'"([^"]+)":', r'"\1', text, count=1),
        lambda: re.sub(r'(,\s*"[^"]+)":', r"\1:", text, count=1),
        lambda: re.sub(r'"([^"]+)":', "\u201c\\1\u201d:", text),
        lambda: re.sub(r",(\s)", r";\1", text),
        lambda: re.sub(r": ", " => ", text),
        lambda: re.sub(r",(\s)", r",,\1", text, count=2),
        lambda: re.sub(r': "([^" ]+) ([^"]+)"', r': "\1 "\2" etc"', text, count=1)])()
    return None if new == text else (value, new)


def json_text(value):
    return value, pick(["", "", "", " ", "\n"]) + dumps(value) + pick(["", "", "", "\n"])


def fenced(value):
    if is_number(value):
        return None
    text = value if isinstance(value, str) else dumps(value)
    tag = pick(["", "text", "txt"] if isinstance(value, str) else ["json", "json", "JSON", "", "jsonc", "json5"])
    before, after = pick(["", "", pick(BEFORE) + pick(["\n", "\n\n"])]), pick(["", "", "\n" + pick(AFTER)])
    return value, f"{before}```{tag}\n{text}\n```{after}"


def in_prose(value):
    if not isinstance(value, (dict, list)):
        return None if is_day(value) else (value, pick(SAYS).format(value))
    text = dumps(value)
    return value, pick([f"{pick(BEFORE)}\n{text}", f"{pick(BEFORE)} {text} {pick(AFTER)}", f"{pick(MARKS)} {text}",
                        f"{text}\n\n{pick(AFTER)}", f"{pick(MARKS)}\n{text}\n{pick(AFTER)}"])


def python_literal(value):
    if isinstance(value, dict) and rng.random() < 0.4:
        value = {**value, "remark": None}
    return value, repr(value)


def wrapped(value):
    beside = rng.sample(BESIDE, pick([0, 0, 1, 2]))
    members = [(pick(WRAPPERS), value)] + beside
    rng.shuffle(members)
    return value, dict(members)


def list_of_one(value):
    return (value, [value]) if isinstance(value, dict) else None


def other_kind(value):
    if isinstance(value, dict):
        return value, pick([list(value.values()), [[k, v] for k, v in value.items()], [value, with_wrong(value, 3)],
                            rng.randint(2, 99), True, 0.5, list(value)])
    if isinstance(value, list):
        return value, pick([{f"entry {i}": v for i, v in enumerate(value, 1)}, len(value), False,
                            {str(i): v for i, v in enumerate(value)}])
    return value, pick([{"place": pick(STREETS), "floor": 3, "lift": True}, ["north wing", "south wing"],
                        [0.25, 0.5, 0.1],
                        {"first": pick(MATERIALS), "second": pick(MATERIALS)}, {"x": [1, 2], "y": [8, 9]}])


def key_names(value):
    new = restyle(value, pick(["snake", "camel", "title", "kebab", "pascal", "upper", "spaced", "glued"]))
    return None if new == value else (value, new)


def nested_text(value):
    inner = [k for k, v in value.items() if isinstance(v, (dict, list))] if isinstance(value, dict) else []
    if not inner:
        return None
    chosen = rng.sample(inner, rng.randint(1, len(inner)))
    return value, {k: dumps(v) if k in chosen else v for k, v in value.items()}


def number_form(value):
    found = [leaf for leaf in leaves(value) if is_number(leaf) or isinstance(leaf, bool)]
    if not found:
        return None
    if rng.random() < 0.2:
        return mapped(value, lambda leaf: str(leaf) if is_number(leaf) else leaf), value
    price = pick(["{:,.2f}", "{:.2f}", "${:,.2f}", "{:,.2f} USD", "\u20ac{:,.2f}", "EUR {:.2f}",
                  "\u00a3{:,.2f}"]).format

    def change(leaf):
        if isinstance(leaf, float):
            return price(leaf)
        return str(leaf).lower() if is_number(leaf) or isinstance(leaf, bool) else leaf
    return value, mapped(value, change)


DAY_FORMS = [lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year}", lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}",
             lambda d: f"{d:%d.%m.%Y}", lambda d: f"{d:%m/%d/%Y}", lambda d: f"{d:%d/%m/%Y}", lambda d: f"{d:%Y/%m/%d}",
             lambda d: f"{d.day} {MONTHS[d.month - 1][:3]} {d.year}",
             lambda d: f"{MONTHS[d.month - 1][:3]} {d.day}, {d.year}",
             lambda d: f"{d.day}.{d.month}.{d.year}", lambda d: f"{d:%d}-{MONTHS[d.month - 1][:3]}-{d.year}"]


def date_form(value):
    form = pick(DAY_FORMS)
    new = mapped(value, lambda leaf: form(datetime.date.fromisoformat(leaf)) if is_day(leaf) else leaf)
    if new == value:
        return None
    return (value, new) if rng.random() < 0.7 else (new, value)


CASES = [str.upper, str.lower, str.title, str.swapcase, lambda s: s + ".", lambda s: s.replace(" ", "-"),
         lambda s: s.replace(" ", "_").lower(), lambda s: " " + s + "  ", lambda s: s.replace(" ", "")]


def letter_case(value):
    if not any(is_words(leaf) for leaf in leaves(value)):
        return None
    case = pick(CASES)

    def change(leaf):
        return next(new for new in (case(leaf), leaf.upper(), leaf.lower()) if new != leaf) if is_words(leaf) else leaf
    return value, mapped(value, change)


def reordered(value):
    def mixed(v):
        if isinstance(v, dict):
            return {k: mixed(w) for k, w in v.items()}
        return pick([v[::-1], v[1:] + v[:1], rng.sample(v, len(v))]) if isinstance(v, list) else v
    new = mixed(value)
    return None if new == value else (value, new)


def missing(value):
    if isinstance(value, list):
        return value, value[:rng.randint(1, len(value) - 1)]
    gone = rng.sample(list(value), rng.randint(1, len(value) - 1))
    if rng.random() < 0.3:
        return value, {k: None if k in gone else v for k, v in value.items()}
    return value, {k: v for k, v in value.items() if k not in gone}


def extra(value):
    size = len(leaves(value))
    if size > 16 or not isinstance(value, dict):
        return None
    members, new, added = rng.sample(ADDED, len(ADDED)), dict(value), 0
    while added <= size + 1:
        name, v = members.pop()
        new[name] = v
        added += len(leaves(v))
    return value, new


def near_miss(value):
    return value, with_wrong(value, 1)


STRUCTURED = [cut_off, prose, malformed, json_text, python_literal, wrapped, list_of_one, key_names, nested_text,
              reordered, missing, extra, near_miss]
EITHER = [no_value, empty, refusal, failure, fenced, in_prose, other_kind, number_form, date_form, letter_case]


def planted(cause, kind):
    while True:
        pair = cause(kind())
        if pair:
            return pair


def clean_wrong(at):
    if at % 2:
        value = structure()
        size = len(leaves(value))
        return value, with_wrong(value, pick([size, rng.randint(2, size)]))
    value = plain()
    wrong = other(value, [value])
    if is_words(value) and rng.random() < 0.4 and value not in str(wrong):
        wrong = pick(SAYS[:9]).format(wrong)
        if value in wrong:  # "negative" in "strongly negative"
            return clean_wrong(at)
    return value, wrong


def show(name, pair, causes):
    print(json.dumps({"id": name, "expected": pair[0], "actual": pair[1], "causes": causes},
                     ensure_ascii=False, separators=(",", ":")))


def main():
    for cause in STRUCTURED + EITHER:
        name = cause.__name__
        for at in range(EACH):
            plainly = cause in EITHER and at % 2 == 0
            show(f"made-{name}-{at + 1:02d}", planted(cause, plain if plainly else structure), [name])
    for at in range(CLEAN):
        show(f"made-none-{at + 1:03d}", clean_wrong(at), [])


if __name__ == "__main__":
    main()
