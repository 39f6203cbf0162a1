import { expect, test } from "vitest";
import type { PlaceboRow } from "./support/placebo-table.ts";
import { placeboTable } from "./support/placebo-table.ts";

const row: PlaceboRow = {
  feedback: "real",
  seed: 7,
  accepted: 2,
  refused: {},
  before: 0.5,
  after: 0.75,
  difference: 0.25,
  interval: { low: 0.1, high: 0.4 },
  verdict: "better",
};

/** What stands in the column `tried`. */
const triedIn = (refused: PlaceboRow["refused"]): string | undefined =>
  placeboTable([{ ...row, refused }])[1]?.split(/\s+/)[2];

test("a proposal counts as tried when examples were run with it, whatever came of it", () => {
  expect(triedIn({})).toBe("2");
  expect(triedIn({ "not-better": 3, "not-better-on-val": 4, "not-selected": 5 })).toBe("14");
  expect(triedIn({ "low-coverage": 1 })).toBe("3");
});

test.each([
  "empty",
  "unchanged",
  "already-tried",
  "duplicate",
  "truncated",
  "too-long",
  "polluted",
  "json",
  "placeholder-lost",
  "copies-examples",
  "unreadable",
  "reflection-fault",
] as const)("one refused as %s does not: nothing was run with it", (reason) => {
  expect(triedIn({ [reason]: 6, "not-better": 1 })).toBe("3");
  expect(placeboTable([{ ...row, refused: { [reason]: 6 } }])[1]).toContain(`6 ${reason}`);
});

test("the last lines count the gains above zero for each kind of feedback", () => {
  const none = { ...row, feedback: "blanked", interval: { low: 0, high: 0.1 } };
  expect(placeboTable([row, row, none]).slice(-2)).toEqual([
    "real      mean gain +0.2500, interval above zero in 2 of 2",
    "blanked   mean gain +0.2500, interval above zero in 0 of 1",
  ]);
});
