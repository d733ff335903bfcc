#!/usr/bin/env python3
"""Which tests prove which row of the requirements: the ids at the beginning of the names of Swift tests ("R2.4: …") and in
the markers of Python's (`pytest.mark.rows("R9.1")`). Usage: rows.py [ROW ...]; without rows, all that any test names."""

import ast
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = r"[RXP]\d+(?:\.\d+)?"
NAMED = re.compile(rf'@Test\(\s*"((?:{ROW})(?:(?:, | and ){ROW})*): ((?:[^"\\]|\\.)*)"')


def swift_tests():
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        text = path.read_text()
        for match in NAMED.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            for row in re.findall(ROW, match.group(1)):
                yield row, f"{path.relative_to(ROOT)}:{line}", match.group(2)


def marked_rows(expressions):
    for expression in expressions:
        if isinstance(expression, ast.Call) and ast.unparse(expression.func) == "pytest.mark.rows":
            yield from (argument.value for argument in expression.args)


def python_tests():
    for path in sorted((ROOT / "Tests").rglob("test_*.py")):
        module = ast.parse(path.read_text())
        of_all = [
            row
            for node in module.body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
            for row in marked_rows(getattr(node.value, "elts", [node.value]))
        ]
        for node in ast.walk(module):
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            for row in of_all + list(marked_rows(node.decorator_list)):
                yield row, f"{path.relative_to(ROOT)}:{node.lineno}", node.name


def order(row):
    return row[0], [int(part) for part in row[1:].split(".")]


def main(wanted):
    rows = {}
    for row, place, name in [*swift_tests(), *python_tests()]:
        rows.setdefault(row, []).append((place, name))
    missing = [row for row in wanted if row not in rows]
    for row in sorted(rows if not wanted else set(wanted) & set(rows), key=order):
        print(f"{row}: {len(rows[row])}")
        for place, name in rows[row]:
            print(f"    {place}  {name}")
    for row in missing:
        print(f"{row}: no test names it", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
