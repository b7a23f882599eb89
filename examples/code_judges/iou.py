#!/usr/bin/env python3
"""A code_judge that compares bounding boxes by intersection over union (IoU).

A side is one box or a list of boxes; a box is [x1, y1, x2, y2] or {"x1": ..., "y1": ..., "x2": ..., "y2": ...}.
Boxes are paired greedily, the highest IoU first. The score is the sum of the pairs' IoUs over the number of boxes
on the longer side; a reference box whose pair reaches `iou_threshold` (default 0.5) is a hit.

It reads a line for each record until the input ends, so it works with `process: persistent` and without.
"""

import json
import sys


def read_box(value):
    if isinstance(value, dict):
        value = [value[name] for name in ("x1", "y1", "x2", "y2")]
    x1, y1, x2, y2 = (float(number) for number in value)
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def read_boxes(value):
    is_list_of_boxes = isinstance(value, list) and (not value or isinstance(value[0], (list, dict)))
    return [read_box(box) for box in (value if is_list_of_boxes else [value])]


def area(box):
    return (box[2] - box[0]) * (box[3] - box[1])


def iou(a, b):
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    shared = max(width, 0.0) * max(height, 0.0)
    union = area(a) + area(b) - shared
    return shared / union if union > 0 else float(a == b)


def judge(document):
    reference = read_boxes(document["reference_answer"])
    try:
        candidate = read_boxes(document["candidate_answer"])
    except (KeyError, TypeError, ValueError):
        return {"score": 0.0, "misses": ["the answer holds no boxes"]}
    threshold = document["config"].get("iou_threshold", 0.5)
    pairs = sorted(
        ((-iou(r, c), i, j) for i, r in enumerate(reference) for j, c in enumerate(candidate)),
    )
    overlap = [0.0] * len(reference)
    taken = set()
    matched = set()
    for negative, i, j in pairs:
        if i not in matched and j not in taken:
            matched.add(i)
            taken.add(j)
            overlap[i] = -negative
    longer = max(len(reference), len(candidate))
    named = [f"box {i}: IoU {value:.3f}" for i, value in enumerate(overlap)]
    return {
        "score": sum(overlap) / longer if longer else 1.0,
        "hits": [name for name, value in zip(named, overlap) if value >= threshold],
        "misses": [name for name, value in zip(named, overlap) if value < threshold],
        "reasoning": f"{len(candidate)} boxes for {len(reference)} expected ones",
    }


for line in sys.stdin:
    request = json.loads(line)
    reply = judge(request)
    if "sequence" in request:  # so that no reply is taken for that to another record
        reply["sequence"] = request["sequence"]
    print(json.dumps(reply), flush=True)
