import { describe, expect, test } from "vitest";
import type { Score } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import shipped from "../../../optimizers/experiments/r2rag.ts";
import declareR2rag from "../../../optimizers/r2rag.ts";
import { rehearsalParts } from "../../support/rehearsal-parts.ts";

const declared = await declareR2rag(rehearsalParts());

interface Answered {
  readonly answer: string;
  readonly route?: string;
}

const questions = declared.trainset.splits.test.slice(0, 12).map(({ id, input, labels }) => ({
  id,
  input,
  isComplex: ["compound", "complex"].includes((labels as { readonly route: string }).route),
}));

async function answersOf(name?: string): Promise<readonly Answered[]> {
  const made = name === undefined ? declared : await declared.variants?.[name]?.();
  if (made === undefined) throw new Error(`no variant ${name}`);
  const lm = rehearsalLm();
  const answers: Answered[] = [];
  for (const { id, input } of questions) {
    const attempt = await made.program.attempt(input, { lm, exampleId: id });
    if (attempt.state === "failed") throw attempt.error;
    answers.push(attempt.output as Answered);
  }
  return answers;
}

describe("the table of R2RAG", () => {
  test("has for each pipeline the answers that the router gets by sending a question there", async () => {
    const routed = await answersOf();
    const [simple, complex] = [await answersOf("vanilla-rag"), await answersOf("vanilla-agent")];
    const routes = new Set(routed.map(({ route }) => route));
    expect(routes).toEqual(new Set(["vanilla-rag", "vanilla-agent"]));
    for (const [index, { answer, route }] of routed.entries()) {
      const alone = route === "vanilla-rag" ? simple : complex;
      expect(alone[index]?.answer).toBe(answer);
    }
  });

  test("has a row whose router knows the labels", async () => {
    const routes = (await answersOf("oracle")).map(({ route }) => route);
    const right = questions.map(({ isComplex }) => (isComplex ? "vanilla-agent" : "vanilla-rag"));
    expect(routes).toEqual(right);
  });

  test.each([
    ["complex", { route: "vanilla-agent" }, 1, "vanilla-agent"],
    ["compound", { route: "vanilla-rag" }, 0, "vanilla-rag"],
    ["single-step", { route: "vanilla-rag" }, 1, "vanilla-rag"],
    ["straightforward", { route: "vanilla-agent" }, 0, "vanilla-agent"],
    // A pipeline alone has no route, and neither has a run that failed.
    ["complex", { answer: "" }, null, null],
    ["complex", undefined, null, null],
  ])("of a %s question with output %j, rightly_routed is %j in group %j", (...row) => {
    const [route, output, expected, group] = row;
    const score: Score = { kind: "scored", value: 0, feedback: "" };
    const scored = { example: { id: "1", input: {}, labels: { route } }, output, score };
    expect(shipped.figures?.map(({ of }) => of(scored))).toEqual([expected]);
    const by = shipped.breakdowns?.[0]?.by;
    expect(typeof by === "function" && by(scored)).toBe(group);
  });

  test("stands beside no published figure, and says so", () => {
    expect(shipped.rows.flatMap(({ published = [] }) => published)).toEqual([]);
    expect(shipped.note).toContain("The paper prints no figures");
  });
});
