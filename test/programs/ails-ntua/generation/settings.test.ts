import { describe, expect, it } from "vitest";
import { ailsGeneration } from "../../../../programs/ails-ntua/index.ts";
import {
  answerReply,
  answerSteps,
  filler,
  history,
  passages,
  question,
  unusable,
} from "../answer-steps.ts";
import { generated } from "../answered.ts";

const given = { question, history, passages };

describe("the settings of Task B", () => {
  it("sample as the authors did in each step", async () => {
    const refused = await generated({
      passages: [],
      script: { declineToAnswer: () => answerReply("No.") },
    });
    const replied = await generated({ passages: [], question: "ok" });
    const written = await generated({
      parameters: { userJudgeRate: 1 },
      script: {
        writeAnswerA: () => answerReply(filler(9)),
        writeAnswerB: () => answerReply(filler(9)),
      },
    });
    const forced = await generated({
      script: {
        writeAnswerA: () => answerReply("I cannot answer."),
        writeAnswerB: () => answerReply("I cannot answer."),
      },
    });
    const sampling = Object.fromEntries(
      [refused, replied, forced, written].flatMap(({ server }) =>
        server.asked().map((step, index) => {
          const { temperature, max_completion_tokens: tokens } = server.received[index]!;
          return [step, [temperature, tokens]];
        }),
      ),
    );
    expect(sampling).toEqual({
      declineToAnswer: [0, 80],
      replyToRemark: [0.3, 100],
      extractSpans: [0, 700],
      writeAnswerA: [0, 450],
      writeAnswerB: [0.1, 450],
      insistOnAnswer: [0.2, 400],
      judgeGrounding: [0, 150],
      judgePreference: [0, 100],
      adjustAnswer: [0.1, 350],
    });
  });

  it("let each step run on a model of its own", async () => {
    await using student = await answerSteps();
    await using judge = await answerSteps();
    const { lm } = student;
    await ailsGeneration()
      .with([{ kind: "parameter", path: "userJudgeRate", value: 1 }])
      .run(given, { lm, lms: { judgeGrounding: judge.lm, extractSpans: judge.lm } });
    expect(judge.asked()).toEqual(["extractSpans", "judgeGrounding"]);
    expect(student.asked().toSorted()).toEqual(["judgePreference", "writeAnswerA", "writeAnswerB"]);
  });

  it("are parameters, so that one changed number changes the choice", async () => {
    const { inputs, server } = await generated({
      parameters: { answerPassages: 2, answerTurns: 0, maxSpans: 3, targetWords: 60 },
    });
    expect(inputs["extractSpans"]).toMatchObject({
      passages: passages.slice(0, 2),
      history: [],
      maxSpans: 3,
    });
    // A factoid, five words below the target.
    expect(inputs["writeAnswerA"]).toMatchObject({ targetWords: 55 });
    expect(server.asked()).not.toContain("adjustAnswer");
  });
});

describe("a failure in Task B", () => {
  it.each(["extractSpans", "writeAnswerA", "judgeGrounding", "adjustAnswer"])(
    "of the server in %s fails the run: a canned text would be scored as an answer",
    async (step) => {
      const failing = generated({
        script: {
          writeAnswerA: () => answerReply("Short."),
          writeAnswerB: () => answerReply("Short."),
          [step]: () => ({ status: 500, body: "out of memory" }),
        },
      });
      await expect(failing).rejects.toThrow("500");
    },
  );

  it("to write a candidate, even when asked again, is a format failure of the run", async () => {
    await using server = await answerSteps({ writeAnswerB: unusable });
    const attempt = await ailsGeneration().attempt(given, { lm: server.lm });
    expect(attempt).toMatchObject({ state: "failed", failure: { kind: "format" } });
    expect(server.requestsOf("writeAnswerB")).toHaveLength(2);
  });

  it("by an abort ends it", async () => {
    const controller = new AbortController();
    await using server = await answerSteps({
      judgeGrounding: () => {
        controller.abort();
        return { isUnanswered: true };
      },
    });
    const attempt = await ailsGeneration().attempt(given, {
      lm: server.lm,
      signal: controller.signal,
    });
    expect(attempt).toMatchObject({ state: "failed", failure: { kind: "aborted" } });
    expect(server.asked()).not.toContain("adjustAnswer");
  });
});
