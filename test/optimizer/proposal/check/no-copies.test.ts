import { expect, it } from "vitest";
import type { Checked, ReflectiveCase } from "espalier/optimizer";
import { noCopies } from "espalier/optimizer";

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
};

function objectionTo(text: string, given: Partial<Checked> = {}): string | undefined {
  const current = "Answer the question.";
  return noCopies().check(text, {
    current,
    isTried: false,
    cases: [shown],
    known: [],
    ...given,
  })?.detail;
}

const words = passage.split(" ");
const quoteOf = (count: number): string => `Say that ${words.slice(3, 3 + count).join(" ")} if so.`;

it("says the same of a text before and after reading far more than it remembers", () => {
  const { check } = noCopies();
  const sentence = `${passage}.`;
  const objectionNow = (cases: readonly ReflectiveCase[]): string | undefined =>
    check(sentence, { current: "", isTried: false, cases, known: [] })?.detail;
  const before = objectionNow([shown]);
  expect(before).toContain("velsel issues a permit");
  for (let index = 0; index < 25; index++) {
    const passages = [`Word ${index} `.repeat(12_000)];
    const long = { ...shown, exampleId: `long ${index}`, inputs: { passages } };
    expect(objectionNow([long])).toBeUndefined();
  }
  expect(objectionNow([shown])).toBe(before);
});

it("refuses twelve words in a row out of a passage, and lets eleven pass", () => {
  expect(objectionTo(quoteOf(12))).toContain(
    '"of velsel issues a permit for each boat that stays longer than"',
  );
  expect(objectionTo(quoteOf(11))).toBeUndefined();
});

it("sees through case, punctuation and line breaks", () => {
  const disguised = words.slice(0, 12).join(",\n- ").toUpperCase();
  expect(objectionTo(disguised)).toContain("copies from an example");
});

it("looks into outputs, quotations in feedback, unusable replies and what came after", () => {
  const bare = { ...shown, inputs: {} };
  for (const one of [
    { ...bare, outputs: { answer: passage } },
    { ...bare, feedback: `Missing gold passages:\n${passage}` },
    { ...bare, feedback: `On the whole run (score 0):\nExpected answer: ${passage}` },
    { ...bare, feedback: `The answer was "${passage}"; expected "Three nights".` },
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

const advice =
  "Name the unit of every amount and the year that each of the amounts is from, always.";

function caseOf(exampleId: string, feedback: string, other: Partial<ReflectiveCase> = {}) {
  return { ...shown, exampleId, feedback, ...other };
}

it("lets pass a rule that the feedback states, though of one example and word for word", () => {
  for (const feedback of [
    advice,
    `On this very call (score 0.25):\n${advice}`,
    `The answer was "Two nights."; expected "three nights". ${advice}`,
    `Expected answer: three nights\nAnswer: Two nights.\n${advice}`,
    `The answer is too vague: ${advice}`,
    `Missing passages:\n- ${passage}\n\n${advice}`,
    `Rule for the answer: ${advice}`,
  ]) {
    expect(objectionTo(`Answer. ${advice}`, { cases: [caseOf("a", feedback)] })).toBeUndefined();
  }
});

it("refuses what is quoted in feedback and in the inputs or labels, though feedback says it, too", () => {
  const held = { inputs: { manual: advice } };
  const refused = [
    { cases: [caseOf("a", advice, held)] },
    { cases: [caseOf("a", advice)], labels: [advice] },
    { cases: [caseOf("a", `Reference: ${advice}`)] },
    { cases: [caseOf("a", `It says "${advice}"`)] },
  ];
  for (const given of refused) expect(objectionTo(advice, given)).toContain("copies");
});

it("lets pass what feedback quotes for every example shown, if there are several", () => {
  const quoted = `Gold rule: ${advice}\nReference: ${advice}`;
  expect(
    objectionTo(advice, { cases: [caseOf("a", quoted), caseOf("b", quoted)] }),
  ).toBeUndefined();
  // Two calls in one run are still one example.
  expect(objectionTo(advice, { cases: [caseOf("a", quoted), caseOf("a", quoted)] })).toContain(
    "copies",
  );
  const once = [caseOf("a", quoted), caseOf("b", "Score 1.")];
  expect(objectionTo(advice, { cases: once })).toContain("copies");
});

it("refuses the name that is one example's label, where its feedback names it", () => {
  const text = "For questions about the harbour, answer Jakob Brown.";
  const cases = [caseOf("a", "Wrong: the answer was Jakob Brown.")];
  expect(objectionTo(text, { cases, labels: ["Jakob Brown"] })).toContain('"jakob brown"');
  // No label, or a class; one that no feedback names; one that the program has.
  expect(objectionTo(text, { cases, labels: [] })).toBeUndefined();
  const silent = { cases: [caseOf("a", "Wrong.")], labels: ["Jakob Brown"] };
  expect(objectionTo(text, silent)).toBeUndefined();
  const known = ["Harbourmasters: Jakob Brown."];
  expect(objectionTo(text, { cases, labels: ["Jakob Brown"], known })).toBeUndefined();
  const lower = [caseOf("a", "Expected bug report.")];
  expect(objectionTo("Say bug report.", { cases: lower, labels: ["bug report"] })).toBeUndefined();
});

it("refuses a whole sentence of a passage, though it is short", () => {
  const sentence = "At least 50 must stay unreserved.";
  const text = `Be short.\n${sentence}`;
  const long = `Reserving part caps it there. ${sentence} Bursts grow later.`;
  const cases = [
    caseOf("a", "Wrong.", { inputs: { passages: [{ title: "Wisp", text: long }] } }),
    // As the metric of r2rag names what was not found: `documentText` on one line.
    caseOf("a", `Missing relevant documents:\n- Wisp: concurrency ${long}`),
  ];
  for (const one of cases) {
    expect(objectionTo(text, { cases: [one] })).toContain('"at least 50 must stay unreserved"');
    expect(objectionTo("At least 50 must stay.", { cases: [one] })).toBeUndefined();
  }
});

it("lets pass a sentence that the step wrote for several examples, unless inputs hold it", () => {
  const outputs = { answer: "I do not have enough information." };
  const text = 'Where the passages say nothing, write "I do not have enough information."';
  const both = [caseOf("a", "Right.", { outputs }), caseOf("b", "Wrong.", { outputs })];
  expect(objectionTo(text, { cases: both })).toBeUndefined();
  expect(objectionTo(text, { cases: both.slice(1) })).toContain("copies");
  const inputs = { passages: [outputs.answer] };
  expect(objectionTo(text, { cases: [...both, caseOf("b", "", { inputs })] })).toContain("copies");
});

const rules = [
  "Write every amount with two decimals, a space after it, and the currency as three capital letters.",
  "Do not give a date without its year, and write the month as a word in the language of the question.",
  "Where a passage gives a range, return both of its ends, joined by the word to, and nothing else at all.",
  "Put the name of the agency first, then its acronym in brackets, then the answer to what was asked of it.",
  "If two passages differ, trust the one with the later date and say in the same sentence which one that is.",
  "Avoid any sentence that begins with the words of the question, since readers have just read these words.",
  "A list of steps must keep the order of the passage, even where the question asks for the last one first.",
  "When the question asks for a person, give the full name as the passage spells it, titles included, once.",
  "Never round a percentage: copy all of its digits, and add the sign without a space in front of the sign.",
  "Each answer should end with the number of the passage that it rests on, in brackets, before the full stop.",
  "Questions of yes or no need the word itself first, a comma after it, and then one reason of ten words.",
  "Use the units of the passage, and add the metric ones in brackets where the passage has given others only.",
  "The reply has to name the place in the form in which the first turn of the conversation has named it.",
  "Treat a deadline as the last day on which something is possible, and say so in the first of the sentences.",
  "Leave out opinions of the forum's users unless the question asks what people think about the matter itself.",
  "Please state what is unknown in a sentence of its own after the answer, not in the middle of the answer.",
];

it("takes all of sixteen proposals that state the rule of their feedback", () => {
  expect(new Set(rules).size).toBe(16);
  const refused = rules.filter((rule, index) => {
    const feedback = `The answer was "Two nights."; expected "three nights". ${rule}`;
    const cases = [caseOf("a", feedback), caseOf("b", `Score 1. ${rules[(index + 1) % 16]}`)];
    return objectionTo(`Answer the question.\n${rule}`, { cases }) !== undefined;
  });
  expect(refused).toEqual([]);
});

it("counts each character of a script without spaces", () => {
  const cases = [{ ...shown, inputs: { text: "这座港口的许可证每年只发放一次给居民使用" } }];
  expect(objectionTo("请注意：这座港口的许可证每年只发放。", { cases })).toContain("copies");
  expect(objectionTo("请注意：这座港口的许可证。", { cases })).toBeUndefined();
});
