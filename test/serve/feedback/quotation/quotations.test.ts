import { expect, test } from "vitest";
import type { Steps } from "../../../../src/serve/feedback/quotation/is-near.ts";
import { isNear, nearText } from "../../../../src/serve/feedback/quotation/is-near.ts";
import { quotations } from "../../../../src/serve/feedback/quotation/quotations.ts";
import { comparedText } from "../../../../src/serve/feedback/quotation/sentences.ts";
import { alike } from "./alike.ts";

const exchange = {
  question: "Where did Quillfeather keep the letters of her brother?",
  answer: "In the attic. She kept them in a tin box behind the old loom of her mother.",
};
const unique = (): number => 0;
const enough = (): Steps => ({ left: 1e9 });
const quotes = (turns: Parameters<ReturnType<typeof quotations>>[0], others = unique): boolean =>
  quotations([exchange], others)(turns, enough()).length > 0;

test.each<[how: string, answer: string]>([
  ["another case and width of letters", exchange.answer.toUpperCase().replace("BOX", "ＢＯＸ")],
  ["white space collapsed", exchange.answer.replaceAll(" ", "\n  ")],
  ["decomposed letters and Markdown", `**${exchange.answer.normalize("NFD")}**`],
  ["one sentence of it", "She kept them in a tin box behind the old loom of her mother."],
  ["one letter edited", "She kept them in a tim box behind the old loom of her mother."],
])("a sentence of five words or more shows a quotation: %s", (_how, answer) => {
  expect(quotes([{ speaker: "assistant", text: answer }])).toBe(true);
});

test.each<[what: string, text: string]>([
  ["a paraphrase", "Her brother's letters lay in a box upstairs, behind a loom."],
  ["a short part", "In the attic."],
  ["another number", "She kept 7 of them in a tin box behind the old loom of her mother."],
])("%s is no quotation", (_what, text) => {
  expect(
    quotes([
      { speaker: "user", text: "Where is the cat?" },
      { speaker: "assistant", text },
    ]),
  ).toBe(false);
});

test("short texts show a quotation as question and answer together, and not each by itself", () => {
  const short = { question: "And Larkspur?", answer: "I do not know." };
  const find = quotations([short], unique);
  const asked = { speaker: "user", text: "and larkspur" } as const;
  const told = { speaker: "assistant", text: "I do not know!" } as const;
  expect(find([asked, told], enough())).toHaveLength(1);
  expect(find([asked, { ...told, text: "In the east." }], enough())).toEqual([]);
  expect(find([{ ...asked, text: "And Brindleby?" }, told], enough())).toEqual([]);
});

test("an answer whose question a window cut off counts where nobody else was told the same", () => {
  const short = { question: "And Larkspur?", answer: "Ask Quillfeather herself." };
  const turns = [{ speaker: "assistant", text: short.answer }] as const;
  expect(quotations([short], unique)(turns, enough())).toHaveLength(1);
  expect(quotations([short], () => 1)(turns, enough())).toEqual([]);
});

test("what was said in many conversations shows nothing, however long it is", () => {
  const { question, answer } = exchange;
  const turns = [
    { speaker: "user", text: question },
    { speaker: "assistant", text: answer },
  ] as const;
  expect(quotes([...turns], () => 2)).toBe(true);
  expect(quotes([...turns], () => 3)).toBe(false);
});

test("a message is found that was cut in two within a word", () => {
  const { question, answer } = { question: "Hm?", answer: "Behind her mother's loom." };
  const turns = [
    { speaker: "user", text: question },
    { speaker: "assistant", text: answer.slice(0, 13) },
    { speaker: "assistant", text: answer.slice(13) },
  ] as const;
  expect(quotations([{ question, answer }], unique)(turns, enough())).toHaveLength(1);
});

test("letters of scripts without spaces count as words", () => {
  const [sentence] = comparedText("図書館は駅の隣にあります。").sentences;
  expect(sentence?.distinctWords).toBeGreaterThanOrEqual(5);
});

test.each<[one: string, other: string, isIt: boolean]>([
  ["behind the old loom", "behind the old looms", true],
  ["behind the old loom", "behind the odl loom", false],
  ["forty letters are here, and forty", "forty letterz are here, and forly", false],
  [
    "eighty letters are here, and more of them come after these, and more after those too",
    "eighty letterz are here, and more of them come after these, and more after thoze too",
    true,
  ],
  ["the year 1931 it was", "the year 1932 it was", false],
])("%j and %j are near each other: %j", (one, other, isIt) => {
  const [left, right] = [nearText(one), nearText(other)];
  const steps = enough();
  expect(left && right && isNear(left, right, steps)).toBe(isIt);
  expect(left && right && isNear(right, left, steps)).toBe(isIt);
});

test("a comparison costs the letters of a band, and not those of a square", () => {
  const [text = ""] = alike(1, "x");
  // As far apart as two texts that count as near can be.
  const apart = text.replaceAll(/(.{44})./g, "$1#");
  const [one, other] = [nearText(text), nearText(apart)];
  const steps = enough();
  expect(text.length).toBeGreaterThan(400);
  expect(one && other && isNear(one, other, steps)).toBe(true);
  expect(1e9 - steps.left).toBeLessThan(text.length * (2 * (text.length / 40) + 2));
});

test("a history of sentences that are all alike has its steps, and no more are made", () => {
  const [known, variants] = [alike(60, "x"), alike(60, "y")];
  const find = quotations([{ question: `${known.join(". ")}.`, answer: "Yes." }], unique);
  const turns = [{ speaker: "user", text: `${variants.join(". ")}.` }] as const;
  const all = enough();
  find(turns, all);
  expect(1e9 - all.left).toBeGreaterThan(2_000_000);
  const few: Steps = { left: 100_000 };
  find(turns, few);
  expect(few.left).toBeLessThanOrEqual(0);
  // What one sentence shares with the known ones is counted at once.
  expect(few.left).toBeGreaterThan(-10_000);
});

test("where the steps have run out, what is quoted word for word is found, and what is edited is not", () => {
  const question = `${alike(60, "x").join(". ")}. ${exchange.question}`;
  const find = quotations([{ ...exchange, question }], unique);
  const before = `${alike(60, "y").join(". ")}.`;
  const edited = exchange.question.replace("letters", "letterz");
  const isFound = (text: string) => find([{ speaker: "user", text }], { left: 100_000 }).length > 0;
  expect(isFound(edited)).toBe(true);
  expect(isFound(`${before} ${edited}`)).toBe(false);
  expect(isFound(`${before} ${exchange.question}`)).toBe(true);
});

test("a text of fewer than 12 or more than 500 letters is near only to itself", () => {
  expect(["too shirt", "a".repeat(501)].map(nearText)).toEqual([undefined, undefined]);
});

test("the work for long texts grows with their length, and not with its square", () => {
  const cpuMs = (length: number): number => {
    const text = "a ".repeat(length) + ".";
    const before = process.threadCpuUsage();
    for (let time = 0; time < 5; time += 1) comparedText(text);
    return process.threadCpuUsage(before).user / 1_000;
  };
  cpuMs(1_000);
  // Ten times the text; its square would be a hundred.
  expect(cpuMs(200_000)).toBeLessThan(40 * Math.max(cpuMs(20_000), 2));
});
