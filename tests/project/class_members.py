#!/usr/bin/env python3
"""Fails on a class of the engine with more data members than HACKING.md allows: it holds more than one concept.

Usage: class_members.py SOURCE_DIR. Exit status: 0 no such class, 1 some, which are printed.

Data members are what HACKING.md writes as `name_`; those of classes and functions within a class are not counted.
"""
import pathlib
import re
import sys

MOST = 20
CLASS = re.compile(r"\bclass (\w+)[^;{()]*\{")
MEMBER = re.compile(r"\b\w+_\s*(=[^;]*)?$")
NOT_CODE = re.compile(r'//[^\n]*|"(\\.|[^"\\\n])*"')


def end_of_block(code, start):
    """Returns the place behind the brace that closes the block whose content begins at `start`."""
    depth = 1
    while depth > 0:
        depth += (code[start] == "{") - (code[start] == "}")
        start += 1
    return start


def without_blocks(code):
    """Returns the code without what is in braces."""
    while (opened := code.find("{")) >= 0:
        code = code[:opened] + code[end_of_block(code, opened + 1):]
    return code


def classes(code):
    """Returns (name, number of data members) of every class."""
    code = NOT_CODE.sub("", code)
    for found in CLASS.finditer(code):
        body = code[found.end():end_of_block(code, found.end()) - 1]
        declarations = [" ".join(part.split()) for part in without_blocks(body).split(";")]
        yield found[1], sum(bool(MEMBER.search(part)) and "return" not in part for part in declarations)


def main():
    planted = "class C { void F() { int a_; } struct S { int b_; }; int c_ = 1; std::vector<int> d_{2}; void G(); };"
    assert list(classes(planted)) == [("C", 2)], list(classes(planted))
    root = pathlib.Path(sys.argv[1])
    seen = 0
    large = []
    for source in sorted((root / "engine").rglob("*")):
        if source.suffix not in (".h", ".cc"):
            continue
        for name, members in classes(source.read_text()):
            seen += 1
            if members > MOST:
                large.append(f"{source.relative_to(root)}: {name} has {members} data members")
    if large:
        print(f"class_members: more than {MOST}; give some of them a class with the functions that use them:")
        print("\n".join(large))
        return 1
    print(f"class_members: {seen} classes, none with more than {MOST} data members")
    return int(seen < 100)


if __name__ == "__main__":
    sys.exit(main())
