"""Renders calls by DSPy's ChatAdapter: one JSON object in, one JSON list of prompts out; see dspy.ts."""

import json
import sys
from typing import Literal

import dspy

TYPES = {"str": str, "int": int, "float": float, "bool": bool, "list": list[str]}


def annotation(field):
    if field["type"] == "label":
        return Literal[tuple(field["options"])]
    return TYPES[field["type"]]


def signature_of(given):
    fields = {}
    for kind, make in (("inputs", dspy.InputField), ("outputs", dspy.OutputField)):
        for field in given[kind]:
            fields[field["name"]] = (annotation(field), make(desc=field["description"]))
    return dspy.Signature(fields, given["instruction"])


def main():
    job = json.load(sys.stdin)
    adapter = dspy.ChatAdapter()
    known = {given["name"]: (signature_of(given), given["demos"]) for given in job["signatures"]}
    prompts = []
    for call in job["calls"]:
        signature, demos = known[call["predictor"]]
        messages = adapter.format(signature, demos, call["inputs"])
        prompts.append([{"role": m["role"], "content": m["content"]} for m in messages])
    json.dump(prompts, sys.stdout)


main()
