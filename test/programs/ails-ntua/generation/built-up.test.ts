import { describe, expect, it } from "vitest";
import { answerReply, filler, goodA, goodB, passages, span } from "../answer-steps.ts";
import { gated, generated } from "../answered.ts";

const short = filler(12);
const textsOf = (count: number) => passages.slice(0, count).map(({ text }) => text);

/** Of table 5, each with what it adds to the one before. */
describe("the pipeline up to", () => {
  it("one answer writes the greedy one from the passages alone", async () => {
    const { asked, inputs, answer } = await generated({ upTo: "one-answer" });
    expect(asked).toEqual(["writeAnswerA"]);
    expect(inputs["writeAnswerA"]).toMatchObject({ spans: textsOf(5) });
    expect(answer).toBe(goodA);
  });

  it("spans writes it from these", async () => {
    const { asked, inputs } = await generated({ upTo: "spans" });
    expect(asked).toEqual(["extractSpans", "writeAnswerA"]);
    expect(inputs["writeAnswerA"]).toMatchObject({ spans: [span] });
  });

  it("two answers draws one of them, the same for the same turn, and each for some turns", async () => {
    const drawn = async (seed: number) => {
      const { asked, answer } = await generated({ upTo: "two-answers", seed });
      expect(asked.toSorted()).toEqual(["extractSpans", "writeAnswerA", "writeAnswerB"]);
      return answer;
    };
    const seeds = Array.from({ length: 12 }, (_, seed) => seed);
    const answers = await Promise.all(seeds.map(drawn));
    expect(new Set(answers)).toEqual(new Set([goodA, goodB]));
    expect(await Promise.all(seeds.map(drawn))).toEqual(answers);
  });

  it("the technical judge asks no user, whatever their rate", async () => {
    const { asked } = await generated({
      upTo: "technical-judge",
      parameters: { userJudgeRate: 1 },
    });
    expect(asked).toContain("judgeGrounding");
    expect(asked).not.toContain("judgePreference");
  });

  it("the user judge leaves a short answer as it is", async () => {
    const script = {
      writeAnswerA: () => answerReply(short),
      writeAnswerB: () => answerReply(short),
    };
    const parameters = { userJudgeRate: 1 };
    const unadjusted = await generated({ upTo: "user-judge", parameters, script });
    expect(unadjusted.asked).toContain("judgePreference");
    expect(unadjusted.answer).toBe(short);
    const whole = await generated({ upTo: "adjustment", parameters, script });
    expect(whole.asked).toContain("adjustAnswer");
    expect(whole.asked).toEqual((await generated({ parameters, script })).asked);
  });

  it("a stage is the same behind the gate", async () => {
    const { asked } = await gated({ upTo: "one-answer" });
    expect(asked.filter((step) => step.startsWith("writeAnswer"))).toEqual(["writeAnswerA"]);
    expect(asked).not.toContain("judgeGrounding");
  });
});
