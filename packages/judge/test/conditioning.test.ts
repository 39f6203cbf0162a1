import { expect, test } from "vitest";
import type { Answerability } from "../src/index.ts";
import { answerabilityOf, conditioned } from "../src/index.ts";

type ConditioningCase = Parameters<typeof conditioned>[0];

const raw = 0.42;
const held = (
  answerability: Answerability | undefined,
  idk: ConditioningCase["idk"],
  clarification: ConditioningCase["clarification"] = 0,
): ConditioningCase => ({ raw, answerability, idk, clarification });

test("conditions as the table of the official script says", () => {
  for (const label of ["ANSWERABLE", "PARTIAL", undefined] as const) {
    expect(conditioned(held(label, 1))).toBe(0);
    for (const idk of [0, 0.5, "unknown"] as const) expect(conditioned(held(label, idk))).toBe(raw);
  }
  for (const label of ["UNANSWERABLE", "CONVERSATIONAL"] as const) {
    expect(conditioned(held(label, 1))).toBe(1);
    for (const idk of [0, 0.5] as const) expect(conditioned(held(label, idk))).toBe(0);
    expect(conditioned(held(label, "unknown"))).toBe(raw);
  }
  expect(conditioned(held("UNDERSPECIFIED", 1, 1))).toBe(1);
  expect(conditioned(held("UNDERSPECIFIED", 0, 0.5))).toBe(0);
});

test("keeps what does not apply apart unless the verdict alone decides", () => {
  const absent = { ...held("UNANSWERABLE", 1), raw: null };
  expect(conditioned(absent)).toBe(1);
  expect(conditioned({ ...absent, answerability: "ANSWERABLE", idk: 0 })).toBeNull();
});

test("reads the label under either spelling, and refuses a record without", () => {
  expect(answerabilityOf({ Answerability: ["UNANSWERABLE"] })).toBe("UNANSWERABLE");
  expect(answerabilityOf({ answerability: "PARTIAL" })).toBe("PARTIAL");
  expect(() => answerabilityOf({ ANSWERABILITY: ["PARTIAL"] })).toThrow(
    "Expected: `answerability` or `Answerability`",
  );
  expect(() => answerabilityOf({ answerability: ["Partial"] })).toThrow('Got: "Partial"');
});
