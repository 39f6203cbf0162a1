import { expect, test } from "vitest";
import type { LanguageModel, LmCallOptions } from "../../../src/index.ts";
import { judgeClarification } from "../src/generation-quality.ts";
import { judgeFaithfulness } from "../src/faithfulness-judge.ts";
import { judgeDeclining } from "../src/idk-judge.ts";
import { judgeRating } from "../src/rating-judge.ts";
import { FormatError } from "../../../src/errors/index.ts";
import { thrownBy } from "../../../test/support/thrown-by.ts";
import { askedOf, judgingLm, passages, promptOf } from "./support.ts";

const question = "When was the footbridge finished, and who paid?";
const response = "It was finished in 1902. The town paid.";

/** Notes on whose account each call is. */
function noting(lm: LanguageModel): { readonly lm: LanguageModel; readonly roles: unknown[] } {
  const roles: unknown[] = [];
  const doGenerate = (
    request: Parameters<LanguageModel["doGenerate"]>[0],
    options?: LmCallOptions,
  ) => {
    roles.push(options?.role);
    return lm.doGenerate(request, options);
  };
  return { lm: { identity: lm.identity, doGenerate }, roles };
}

test("faithfulness is the share of statements that the passages support", async () => {
  await using server = await judgingLm({
    "list-statements": {
      statements: [
        "The footbridge was finished in 1902.",
        "The town paid\n\u001C4. for it.",
        "It is iron.",
      ],
    },
    "check-statements": {
      verdicts: [
        { number: 2, reason: "The brewery paid.", isSupported: false },
        { number: 1, reason: "It says so.", isSupported: true },
      ],
    },
  });
  const { lm, roles } = noting(server.lm);
  const verdict = await judgeFaithfulness({ question, response, passages }, { lm });
  // The third has no verdict, and RAGAS leaves it out.
  expect(verdict.value).toBe(0.5);
  expect(verdict.statements.map(({ reason }) => reason)).toEqual([
    "It says so.",
    "The brewery paid.",
  ]);
  expect(roles).toEqual(["judge", "judge"]);
  expect(promptOf(server.received[1]!)).toContain("2. The town paid 4. for it.");
});

test("faithfulness does not apply to a response without statements", async () => {
  await using server = await judgingLm({ "list-statements": { statements: [] } });
  expect((await judgeFaithfulness({ question, response, passages }, server)).value).toBeNull();
  expect((await judgeFaithfulness({ question, response: " ", passages }, server)).value).toBeNull();
  expect(server.received.map(askedOf)).toEqual(["list-statements"]);
});

test("faithfulness has no value where the judge gave no verdict, and is no 0", async () => {
  for (const verdicts of [[], [{ number: 3, reason: "Which?", isSupported: true }]]) {
    await using server = await judgingLm({
      "list-statements": { statements: ["It is iron."] },
      "check-statements": { verdicts },
    });
    const error = await thrownBy(() => judgeFaithfulness({ question, response, passages }, server));
    expect(error).toMatchObject({ code: "output-invalid" });
    expect(FormatError.isInstance(error)).toBe(true);
  }
});

test("faithfulness is 0 without passages, and nothing is checked", async () => {
  await using server = await judgingLm({ "list-statements": { statements: ["It is iron."] } });
  expect((await judgeFaithfulness({ question, response, passages: [] }, server)).value).toBe(0);
  expect(server.received).toHaveLength(1);
});

test("a rating is read from the end of the judge's text", async () => {
  await using server = await judgingLm({
    "rate-response": { judgement: "The payer is wrong.\nRating: [[6]]" },
  });
  const given = { question, history: [], response, reference: "In 1902; the brewery.", passages };
  expect(await judgeRating(given, server)).toEqual({
    value: 0.6,
    explanation: "The payer is wrong.\nRating: [[6]]",
  });
  for (const shown of [question, response, "In 1902; the brewery.", passages[1]!.text]) {
    expect(promptOf(server.received[0]!)).toContain(shown);
  }
});

test("the judge of declining is shown shots", async () => {
  await using server = await judgingLm({ "judge-declining": { verdict: "partial" } });
  expect(await judgeDeclining({ question, history: [], response }, server)).toBe(0.5);
  expect(promptOf(server.received[0]!)).toContain("The crossing takes forty minutes.");
});

test("the judge of clarification decides by one of two words", async () => {
  for (const [decision, verdict] of [
    ["yes", 1],
    ["no", 0],
  ] as const) {
    await using server = await judgingLm({
      "judge-clarification": { explanation: "Why.", decision },
    });
    expect(await judgeClarification({ response: "Which bridge?" }, server)).toBe(verdict);
  }
});

test("an unusable reply is a format failure and no verdict", async () => {
  await using server = await judgingLm({ "judge-declining": "no JSON at all" });
  const error = await thrownBy(() => judgeDeclining({ question, history: [], response }, server));
  expect(error).toBeInstanceOf(FormatError);
});
