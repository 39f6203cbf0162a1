"""Runs one of the programs beside this file; standard input says which, and on what."""

import json
import os
import sqlite3
import sys
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import dspy  # noqa: E402
from react_research import react_research  # noqa: E402
from text_to_sql import text_to_sql  # noqa: E402

asked = json.load(sys.stdin)
lm = dspy.LM(
    "openai/scripted",
    api_base=asked["lm"],
    api_key="none",
    cache=False,
    temperature=0.0,
    max_tokens=1024,
)
dspy.configure(lm=lm)


def search(query: str) -> list:
    address = f"{asked['search']}?query={urllib.parse.quote(query)}"
    with urllib.request.urlopen(address) as found:
        return json.load(found)


def rows_of(sql: str) -> list:
    return sqlite3.connect(asked["database"]).execute(sql).fetchall()


if asked["program"] == "react-research":
    program, output = react_research(search), "answer"
else:
    program, output = text_to_sql(asked["schema"], rows_of), "sql"

ended = []
for question in asked["questions"]:
    try:
        made = program(question=question)
        names = [
            value
            for name, value in made.trajectory.items()
            if name.startswith("tool_name_") and value != "finish"
        ]
        ended.append({"output": made[output], "calls": len(names)})
    except Exception as error:  # a program that fails is a figure
        ended.append({"error": f"{type(error).__name__}: {error}"[:300], "calls": 0})
print(json.dumps(ended))
