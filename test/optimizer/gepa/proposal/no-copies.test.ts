import { expect, it } from "vitest";
import type { Checked, NoCopiesOptions, ReflectiveCase } from "espalier/optimizer";
import { defaultChecks, noCopies } from "espalier/optimizer";

const passage =
  "The harbour authority of Velsel issues a permit for each boat that stays longer than three nights in the inner basin";

const shown: ReflectiveCase = {
  exampleId: "a",
  path: "answer",
  score: 0,
  inputs: { question: "How long may a boat stay in Velsel harbour?", passages: [passage] },
  outputs: { answer: "Two nights." },
  rawText: "{}",
  feedback: "On the whole run (score 0):\nExpected answer: three nights",
  after: "",
  wiring: { from: {}, to: {} },
};

function objectionTo(
  text: string,
  given: Partial<Checked> = {},
  options?: NoCopiesOptions,
): string | undefined {
  const current = "Answer the question.";
  return noCopies(options).check(text, {
    current,
    isTried: false,
    cases: [shown],
    known: [],
    ...given,
  })?.detail;
}

const words = passage.split(" ");
const quoteOf = (count: number): string => `Say that ${words.slice(3, 3 + count).join(" ")} if so.`;

it("refuses twelve words in a row out of a passage, and lets eleven pass", () => {
  expect(objectionTo(quoteOf(12))).toContain(
    '"of velsel issues a permit for each boat that stays longer than"',
  );
  expect(objectionTo(quoteOf(11))).toBeUndefined();
  expect(defaultChecks().find(({ name }) => name === "no-copies")?.settings).toEqual({
    words: 12,
    wholeField: 7,
  });
});

it("sees through case, punctuation and line breaks", () => {
  const disguised = words.slice(0, 12).join(",\n- ").toUpperCase();
  expect(objectionTo(disguised)).toContain("copies from an example");
});

it("looks into outputs, feedback, unusable replies and what came after", () => {
  const bare = { ...shown, inputs: {} };
  for (const one of [
    { ...bare, outputs: { answer: passage } },
    { ...bare, feedback: `Missing gold passages:\n${passage}` },
    { ...bare, outputs: null, rawText: `Well: ${passage}` },
    { ...bare, after: `- the program gave ${passage}` },
  ]) {
    expect(objectionTo(quoteOf(12), { cases: [one] })).toContain("copies from an example");
    expect(objectionTo(quoteOf(12), { cases: [bare] })).toBeUndefined();
  }
});

it("refuses a whole question or answer of seven words and more, though it is short", () => {
  const text = "When asked: how long may a boat stay in Velsel harbour? Say so.";
  expect(objectionTo(text)).toContain('"how long may a boat stay in velsel harbour"');
  expect(objectionTo(text, {}, { wholeField: 10 })).toBeUndefined();
  expect(objectionTo("Never answer with: Two nights. Give the rule's own words.")).toBeUndefined();
});

it("lets pass what the program says already: in this text, in another, of a field", () => {
  for (const given of [
    { current: `Remember: ${passage}.` },
    { known: [`The step takes \`question\` (${passage}).`] },
  ]) {
    expect(objectionTo(quoteOf(14), given)).toBeUndefined();
  }
});

it("lets pass what the metric says of every example, and not what it says of one", () => {
  const advice =
    "Name the unit of every amount and the year that each of the amounts is from, always.";
  const of = (exampleId: string, feedback: string): ReflectiveCase => {
    return { ...shown, exampleId, feedback };
  };
  const both = [of("a", `Score 0. ${advice}`), of("b", `Score 1. ${advice}`)];
  expect(objectionTo(advice, { cases: both })).toBeUndefined();
  expect(objectionTo(advice, { cases: [of("a", advice)] })).toContain("copies");
  // Two calls in one run are still one example.
  expect(objectionTo(advice, { cases: [of("a", advice), of("a", advice)] })).toContain("copies");
  expect(objectionTo(advice, { cases: [of("a", advice), of("b", "Score 1.")] })).toContain(
    "copies",
  );
});

it("counts each character of a script without spaces", () => {
  const cases = [{ ...shown, inputs: { text: "这座港口的许可证每年只发放一次给居民使用" } }];
  expect(objectionTo("请注意：这座港口的许可证每年只发放。", { cases })).toContain("copies");
  expect(objectionTo("请注意：这座港口的许可证。", { cases })).toBeUndefined();
});
