import { expect, test } from "vitest";
import type { CellFigures } from "./cells.ts";
import { readFileSync } from "node:fs";
import { keptCells } from "./cells.ts";
import { placeboText } from "./checks.ts";
import { realPicture } from "./picture.ts";
import { readmeTable, realTables } from "./table.ts";

const none = { calls: 0, promptTokens: 0, completionTokens: 0 };
const rows = (count: number, right: number) =>
  Array.from({ length: count }, (_, index) => (index < right ? 1 : 0));

function cell(task: string, search: string, right: number, seed = 0): CellFigures {
  return {
    task,
    search,
    seed,
    model: "m",
    reflectionModel: null,
    student: { ...none, calls: 180 },
    reflection: none,
    test: rows(100, right),
    said: [],
    further: rows(100, right),
    instruction: "",
    demonstrations: 0,
  };
}

test("compares ours with the best peer on the same rows and seeds, corrected by Holm", () => {
  const text = realTables([
    cell("one", "declared", 20),
    cell("one", "bootstrap", 60),
    cell("one", "dspy-declared-json", 10),
    cell("one", "dspy-random-search-json", 50),
    cell("two", "declared", 20),
    cell("two", "bootstrap", 40),
    cell("two", "dspy-random-search-chat", 40),
  ]);
  expect(text).toContain("| search | one, 100 rows | two, 100 rows | calls | reflections |");
  expect(text).toContain("| `bootstrap` | .600 (1) | .400 (1) | 180 | 0 |");
  // Ten rows better and none worse: p is 2 / 2^10, and twice that of two comparisons.
  expect(text).toMatch(
    /\| m \| one \| `bootstrap` \| `dspy-random-search-json` \| \+.100 \| \+\.0\d+ to \+\.\d+ \| \.00[12] \| \.00[234] \|/,
  );
  expect(text).toMatch(/\| m \| two \| .* \| \+.000 \| .* \| 1\.000 \| 1\.000 \|/);
});

test("says how many gains are there on further rows", () => {
  const drifts = { ...cell("one", "labels-4", 60), further: rows(100, 20) };
  const text = realTables([cell("one", "declared", 20), cell("one", "bootstrap", 60), drifts]);
  expect(text).toContain("Of 2 differences from the unoptimized program on test, 1 also hold");
  expect(text).toContain("changes by -.200 there");
});

test("README and the picture show what the kept cells give (npm run bench:real -- --page)", () => {
  const cells = [...keptCells().all().values()];
  expect(cells.length).toBeGreaterThan(40);
  expect(readFileSync("README.md", "utf8")).toContain(readmeTable(cells));
  expect(readFileSync("docs/real-models.svg", "utf8")).toBe(realPicture(cells));
});

test("a placebo makes few claims, where true labels would make many", () => {
  const said = (label: string) => Array.from({ length: 200 }, () => [label]);
  const declared = { ...cell("sst2", "declared", 50), said: said("positive") };
  const other = { ...cell("sst2", "bootstrap", 100), said: said("negative") };
  const [, better, worse] =
    /(\d+) said "better" and (\d+) "worse"/.exec(placeboText([declared, other])) ?? [];
  expect(Number(better) + Number(worse)).toBeLessThanOrEqual(20);
  expect(placeboText([declared, { ...other, said: declared.said }])).toBe("");
});
