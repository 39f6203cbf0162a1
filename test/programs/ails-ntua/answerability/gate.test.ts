import { describe, expect, it } from "vitest";
import type { AnswerScript } from "../answer-steps.ts";
import {
  answerReply,
  filler,
  goodA,
  history,
  passages,
  question,
  span,
  spansReply,
  unusable,
  verdictReply,
} from "../answer-steps.ts";
import { gated } from "../answered.ts";

const lastTurns = (count: number) => history.slice(history.length - count);
const refusing = (confidence: number): AnswerScript => ({
  judgeDocuments: () => verdictReply("UNANSWERABLE", confidence, "nothing there"),
  judgeSpans: () => verdictReply("UNANSWERABLE", confidence),
  judgeAnswer: () => verdictReply("UNANSWERABLE", confidence),
});
/** The steps of the gate that were asked. */
const gateSteps = ({ asked }: { readonly asked: readonly string[] }) =>
  asked.slice(0, asked.indexOf("extractSpans") === -1 ? undefined : asked.indexOf("extractSpans"));

const short = "And its cost?";
const full = "What did the footbridge cost to build?";

describe("the first turns past the gate", () => {
  it("a remark is replied to whatever was found", async () => {
    const { answer, output, notes, asked } = await gated({ question: "got it" });
    expect(answer).toBe("You are welcome.");
    expect(output).toEqual({ answer, route: "conversational" });
    expect(notes).toEqual({ route: "conversational" });
    expect(asked).toEqual(["replyToRemark"]);
  });

  it("a question without passages is refused, and no judge is asked", async () => {
    const { output, notes, asked } = await gated({ passages: [] });
    expect(output).toMatchObject({ route: "refusal" });
    expect(notes).toEqual({ route: "refusal" });
    expect(asked).toEqual(["declineToAnswer"]);
  });
});

describe("an answerable turn", () => {
  it("goes through all judges, and then through Task B with the same three passages", async () => {
    const { answer, output, notes, inputs, asked } = await gated();
    expect(answer).toBe(goodA);
    expect(output).toMatchObject({ route: "generated", verdict: "ANSWERABLE", confidence: 0.9 });
    expect(notes).toMatchObject({
      gate: { verdict: "ANSWERABLE", rule: "unanimous" },
      judgements: {
        documents: { verdict: "ANSWERABLE", confidence: 0.9 },
        spans: { verdict: "ANSWERABLE", confidence: 0.9 },
        answer: { verdict: "ANSWERABLE", confidence: 0.9 },
      },
      route: "generated",
    });
    const steps = gateSteps({ asked });
    expect(steps.slice(0, 3)).toEqual(["checkHistory", "findEvidence", "writeCandidateAnswer"]);
    expect(steps.slice(3, 5).toSorted()).toEqual(["judgeDocuments", "judgeSpans"]);
    expect(steps.slice(5)).toEqual(["judgeAnswer"]);
    expect(inputs["extractSpans"]).toMatchObject({ question, passages: passages.slice(0, 3) });
  });

  it("shows each judge its evidence, and the third what the first found", async () => {
    const { inputs } = await gated();
    const shown = { question, message: question, history: lastTurns(4) };
    const three = passages.slice(0, 3);
    expect(inputs["checkHistory"]).toEqual({
      question,
      history: history.filter(({ speaker }) => speaker === "assistant").slice(-4),
    });
    expect(inputs["findEvidence"]).toEqual({
      question,
      history: lastTurns(3),
      passages: three,
      maxSpans: 8,
      notice: "",
    });
    expect(inputs["writeCandidateAnswer"]).toEqual({
      question,
      history: lastTurns(4),
      spans: [span],
      passages: three,
    });
    expect(inputs["judgeDocuments"]).toEqual({ ...shown, passages: three });
    expect(inputs["judgeSpans"]).toEqual({ ...shown, spans: [span] });
    expect(inputs["judgeAnswer"]).toEqual({
      ...shown,
      answer: "It was finished in 1902.",
      documentAnalysis: "the passages say it",
    });
  });

  it("cuts passages at 3,000 characters for spans, 1,500 for the answer, 2,000 for the judge", async () => {
    const long = [{ id: "long", text: "🌉".repeat(4_000) }];
    const { inputs } = await gated({ passages: long });
    const lengthIn = (step: string) => {
      const { passages: seen } = inputs[step] as unknown as { passages: { text: string }[] };
      return Array.from(seen[0]!.text).length;
    };
    expect(lengthIn("findEvidence")).toBe(3_000);
    expect(lengthIn("writeCandidateAnswer")).toBe(1_500);
    expect(lengthIn("judgeDocuments")).toBe(2_000);
    expect(lengthIn("extractSpans")).toBe(4_000);
  });
});

describe("a short message", () => {
  it("is judged as a full question, and answered as it was asked", async () => {
    const { inputs, notes } = await gated({ question: short });
    expect(inputs["expandQuestion"]).toEqual({ message: short, history: lastTurns(5) });
    expect(notes["expandedQuestion"]).toBe(full);
    for (const step of ["checkHistory", "findEvidence", "writeCandidateAnswer"]) {
      expect(inputs[step]).toMatchObject({ question: full });
    }
    expect(inputs["judgeDocuments"]).toMatchObject({ question: full, message: short });
    expect(inputs["extractSpans"]).toMatchObject({ question: short });
    expect(inputs["writeAnswerA"]).toMatchObject({ question: short });
  });

  it("stays as it is without a conversation, and so does one of more than six words", async () => {
    const alone = await gated({ question: short, history: [] });
    expect(alone.asked).not.toContain("expandQuestion");
    // No reply of the assistant, so none that could hold the answer.
    expect(alone.asked).not.toContain("checkHistory");
    const six = await gated({ question: "one two three four five six?" });
    expect(six.asked).toContain("expandQuestion");
    const seven = await gated({ question: "one two three four five six seven?" });
    expect(seven.asked).not.toContain("expandQuestion");
  });

  it.each<[string, AnswerScript[string]]>([
    ["less than five characters", () => JSON.stringify({ question: "Why?" })],
    ["a reply that cannot be parsed", unusable],
  ])("stays as it is for %s", async (_, expandQuestion) => {
    const { inputs, notes } = await gated({ question: short, script: { expandQuestion } });
    expect(notes["expandedQuestion"]).toBe("dropped");
    expect(inputs["judgeDocuments"]).toMatchObject({ question: short, message: short });
  });
});

describe("a conversation that may hold the answer", () => {
  const said = (holdsAnswer: boolean, confidence: number) => () =>
    JSON.stringify({ holdsAnswer, confidence });

  it("makes the turn answerable from a confidence of .80 on, without judges", async () => {
    const { output, notes, asked } = await gated({ script: { checkHistory: said(true, 0.8) } });
    expect(output).toMatchObject({ verdict: "ANSWERABLE", confidence: 0.8, route: "generated" });
    expect(notes["gate"]).toEqual({ verdict: "ANSWERABLE", confidence: 0.8, rule: "history" });
    expect(gateSteps({ asked })).toEqual(["checkHistory"]);
  });

  it.each<[string, AnswerScript[string]]>([
    ["it is less sure", said(true, 0.79)],
    ["it does not hold it", said(false, 1)],
    ["the reply cannot be parsed", unusable],
  ])("does not when %s", async (_, checkHistory) => {
    const { asked } = await gated({ script: { checkHistory } });
    expect(asked).toContain("judgeDocuments");
  });
});

describe("a turn that the judges refuse", () => {
  it.each([
    [0.7, "refusal", "The information is not available."],
    [0.69, "generated", goodA],
  ])("unanimously with %d ends as %s", async (confidence, route, answer) => {
    const { output, notes } = await gated({ script: refusing(confidence) });
    expect(output).toMatchObject({ route, answer, verdict: "UNANSWERABLE" });
    expect(output["confidence"]).toBeCloseTo(confidence, 12);
    expect(notes).toMatchObject({ gate: { rule: "unanimous" }, route });
  });

  it("by majority needs a mean of .8236", async () => {
    const majority = (confidence: number): AnswerScript => ({
      ...refusing(confidence),
      judgeAnswer: () => verdictReply("ANSWERABLE", confidence),
    });
    expect((await gated({ script: majority(0.83) })).output["route"]).toBe("refusal");
    expect((await gated({ script: majority(0.82) })).output["route"]).toBe("generated");
  });

  it("is answered when the judge of the answer is sure enough", async () => {
    const { output, notes } = await gated({
      script: { ...refusing(0.95), judgeAnswer: () => verdictReply("ANSWERABLE", 0.95) },
    });
    expect(notes["gate"]).toMatchObject({ rule: "override" });
    expect(output["confidence"]).toBeCloseTo(0.741, 12);
    expect(output["route"]).toBe("generated");
  });
});

describe("an LM as arbiter", () => {
  const parameters = { arbiter: "lm" };
  const script: AnswerScript = {
    judgeDocuments: () => verdictReply("ANSWERABLE", 0.6),
    judgeSpans: () => verdictReply("UNANSWERABLE", 0.95),
    judgeAnswer: () => verdictReply("ANSWERABLE", 0.55),
    arbitrateVerdicts: () => verdictReply("UNANSWERABLE", 0.75),
  };

  it("receives verdicts and confidences, and decides against the rule's majority", async () => {
    const { output, notes, inputs } = await gated({ script, parameters });
    expect(inputs["arbitrateVerdicts"]).toEqual({
      question,
      judgements: [
        { evidence: "passages", verdict: "ANSWERABLE", confidence: 0.6 },
        { evidence: "sentences", verdict: "UNANSWERABLE", confidence: 0.95 },
        { evidence: "answer", verdict: "ANSWERABLE", confidence: 0.55 },
      ],
    });
    expect(notes["gate"]).toEqual({ verdict: "UNANSWERABLE", confidence: 0.75, rule: "arbiter" });
    expect(output).toMatchObject({ route: "refusal", verdict: "UNANSWERABLE", confidence: 0.75 });
  });

  it("is answered below the confidence of a refusal", async () => {
    const unsure = { ...script, arbitrateVerdicts: () => verdictReply("UNANSWERABLE", 0.69) };
    const { output } = await gated({ script: unsure, parameters });
    expect(output).toMatchObject({ route: "generated", verdict: "UNANSWERABLE", confidence: 0.69 });
  });

  it("leaves the verdict to the rule when its reply cannot be parsed", async () => {
    const { notes, asked } = await gated({
      script: { ...script, arbitrateVerdicts: unusable },
      parameters,
    });
    expect(asked).toContain("arbitrateVerdicts");
    expect(notes["gate"]).toMatchObject({ verdict: "ANSWERABLE", rule: "majority" });
  });

  it("is not asked by default", async () => {
    const { notes, asked } = await gated({ script });
    expect(asked).not.toContain("arbitrateVerdicts");
    expect(notes["gate"]).toMatchObject({ verdict: "ANSWERABLE", rule: "majority" });
  });
});

describe("judges whose reply cannot be parsed", () => {
  const judgementsOf = async (script: AnswerScript) => {
    const { notes, server } = await gated({ script });
    return { notes, server, judgements: notes["judgements"] };
  };

  it("say ANSWERABLE with .5 of passages, of spans and of an answer", async () => {
    const { judgements, notes, server } = await judgementsOf({
      judgeDocuments: unusable,
      judgeSpans: unusable,
      judgeAnswer: unusable,
    });
    const answerable = { verdict: "ANSWERABLE", confidence: 0.5 };
    expect(judgements).toEqual({ documents: answerable, spans: answerable, answer: answerable });
    for (const judge of ["documentsJudge", "spansJudge", "answerJudge"]) {
      expect(notes[judge]).toMatch(/unusable, so ANSWERABLE/);
    }
    // Nothing to hand on, and no correction either.
    expect(server.requestsOf("judgeAnswer")).toHaveLength(1);
  });

  it.each<[string, AnswerScript[string]]>([
    ["none were found", () => spansReply([])],
    ["the search for them cannot be parsed", unusable],
  ])("say UNANSWERABLE of spans when %s", async (_, findEvidence) => {
    const { judgements } = await judgementsOf({ findEvidence, judgeSpans: unusable });
    expect(judgements).toMatchObject({ spans: { verdict: "UNANSWERABLE", confidence: 0.5 } });
  });

  it.each<[string, AnswerScript[string]]>([
    ["refuses", () => answerReply("I do not know.")],
    ["cannot be parsed", unusable],
  ])("say UNANSWERABLE of an answer that %s", async (_, writeCandidateAnswer) => {
    const { judgements } = await judgementsOf({ writeCandidateAnswer, judgeAnswer: unusable });
    expect(judgements).toMatchObject({ answer: { verdict: "UNANSWERABLE", confidence: 0.5 } });
  });
});

describe("a candidate answer", () => {
  const judgedAs = async (answer: string, confidence: number) => {
    const { notes } = await gated({
      script: {
        writeCandidateAnswer: () => answerReply(answer),
        judgeAnswer: () => verdictReply("ANSWERABLE", confidence),
      },
    });
    return (notes["judgements"] as Record<string, unknown>)["answer"];
  };

  it("that only refuses is UNANSWERABLE with at least .85, whatever its judge says", async () => {
    expect(await judgedAs("I don't know.", 0.6)).toEqual({
      verdict: "UNANSWERABLE",
      confidence: 0.85,
    });
    expect(await judgedAs("I don't know.", 0.95)).toEqual({
      verdict: "UNANSWERABLE",
      confidence: 0.95,
    });
  });

  it("with a caveat and a figure, or a long one, is left to its judge", async () => {
    const left = { verdict: "ANSWERABLE", confidence: 0.6 };
    expect(await judgedAs("I don't know for 1920, but 41,000 in 1924.", 0.6)).toEqual(left);
    expect(await judgedAs(`I don't know ${filler(40, "x")}`, 0.6)).toEqual(left);
  });
});

describe("a name that is new", () => {
  const asking = "Why did Larkfeld buy it?";
  const none: AnswerScript = { findEvidence: () => spansReply([]) };

  it("settles the judges of passages and spans unasked when no span was found", async () => {
    const { notes, asked, inputs } = await gated({ question: asking, script: none });
    expect(notes["newEntities"]).toEqual(["Larkfeld"]);
    expect(notes["judgements"]).toMatchObject({
      documents: { verdict: "UNANSWERABLE", confidence: 0.9 },
      spans: { verdict: "UNANSWERABLE", confidence: 0.9 },
    });
    expect(asked).not.toContain("judgeDocuments");
    expect(asked).not.toContain("judgeSpans");
    expect(inputs["judgeAnswer"]).toMatchObject({
      documentAnalysis: expect.stringContaining("Larkfeld"),
    });
  });

  it.each<[string, Parameters<typeof gated>[0]]>([
    ["spans were found", { question: asking }],
    ["the passages have it", { passages: [{ id: "p", text: "The LARKFELD mill" }], script: none }],
    ["the question was not expanded", { script: { ...none, expandQuestion: unusable } }],
    [
      "the question stayed the same",
      { script: { ...none, expandQuestion: () => JSON.stringify({ question: asking }) } },
    ],
  ])("does not when %s", async (_, turn) => {
    const { asked, notes } = await gated({ question: asking, ...turn });
    expect(notes).not.toHaveProperty("newEntities");
    expect(asked).toContain("judgeDocuments");
  });
});

describe("a failure in the gate", () => {
  it("of the server fails the run", async () => {
    const failing = gated({ script: { judgeSpans: () => ({ status: 500, body: "out" }) } });
    await expect(failing).rejects.toThrow("500");
  });
});

describe("the gate's sampling", () => {
  it("is greedy, within the authors' tokens", async () => {
    const { server } = await gated({ question: short });
    const sampling = gateSteps({ asked: server.asked() }).map((step, index) => {
      const { temperature, max_completion_tokens: tokens } = server.received[index]!;
      return [step, temperature, tokens];
    });
    expect(sampling.slice(0, 4)).toEqual([
      ["expandQuestion", 0, 80],
      ["checkHistory", 0, 150],
      ["findEvidence", 0, 800],
      ["writeCandidateAnswer", 0, 500],
    ]);
    expect(sampling.slice(4).toSorted()).toEqual([
      ["judgeAnswer", 0, 500],
      ["judgeDocuments", 0, 500],
      ["judgeSpans", 0, 500],
    ]);
  });
});
