import type { Candidate, Demonstration } from "espalier";
import { expect, test } from "vitest";
import { componentChanges } from "../../../src/cli/terminal/component-changes.ts";

const shown = (exampleId: string, answer = `of ${exampleId}`): Demonstration => ({
  exampleId,
  inputs: { question: exampleId },
  outputs: { answer },
});
const demos = (...value: readonly Demonstration[]): Candidate => [
  { kind: "demos", path: "answer", value },
];
const text = (value: string): Candidate => [{ kind: "instruction", path: "answer", value }];
const [a, b, c] = ["a", "b", "c"].map((id) => shown(id)) as [
  Demonstration,
  Demonstration,
  Demonstration,
];

test.each<[what: string, before: Candidate, after: Candidate, lines: readonly string[]]>([
  [
    "demonstrations that came",
    demos(),
    demos(a),
    ["demos:answer  0 -> 1 demonstration", "  + a", '    {"question":"a"} -> {"answer":"of a"}'],
  ],
  [
    "demonstrations that went",
    demos(a, b, c),
    demos(b),
    ["demos:answer  3 -> 1 demonstration", "  - a, c"],
  ],
  [
    "another output of the same example",
    demos(a, b),
    demos(a, shown("b", "better")),
    [
      "demos:answer  2 -> 2 demonstrations",
      "  - b",
      "  + b",
      '    {"question":"b"} -> {"answer":"better"}',
    ],
  ],
  [
    "another order",
    demos(a, b, c),
    demos(c, a),
    ["demos:answer  3 -> 2 demonstrations, reordered: c, a", "  - b"],
  ],
  [
    "a changed text",
    text("Be brief."),
    text("Be kind."),
    ["instruction:answer", "  | Be [-brief.-]{+kind.+}"],
  ],
  ["a text where there was none", [], text("Go."), ["instruction:answer", "  | {+Go.+}"]],
  ["an empty text where there was none", [], text(""), ["instruction:answer  none -> empty"]],
  ["an empty text that went", text(""), [], ["instruction:answer  empty -> none"]],
  ["the same", demos(a, b), demos(a, b), []],
])("tells %s", (_what, before, after, lines) => {
  expect(componentChanges(before, after)).toEqual(lines);
});
