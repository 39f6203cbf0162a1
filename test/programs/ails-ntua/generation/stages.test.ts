import { describe, expect, it } from "vitest";
import type { AnswerScript } from "../answer-steps.ts";
import {
  adjustedReply,
  answerReply,
  filler,
  goodA,
  goodB,
  history,
  passages,
  preferenceReply,
  question,
  scoresReply,
  span,
  spansReply,
  unusable,
} from "../answer-steps.ts";
import { generated } from "../answered.ts";

const lastTurns = (count: number) => history.slice(history.length - count);
const textsOf = (count: number) => passages.slice(0, count).map(({ text }) => text);
const refusal = "The information is not available.";

describe("a turn without passages", () => {
  it("gets a short reply when it is a remark", async () => {
    const { answer, output, notes, asked, inputs } = await generated({
      question: "Thanks!",
      passages: [],
      script: { replyToRemark: () => answerReply('"Assistant: You are  welcome."') },
    });
    expect(answer).toBe("You are welcome.");
    expect(output["route"]).toBe("conversational");
    expect(notes).toEqual({ route: "conversational" });
    expect(asked).toEqual(["replyToRemark"]);
    expect(inputs["replyToRemark"]).toEqual({
      question: "Thanks!",
      history: lastTurns(4),
      maxWords: 50,
    });
  });

  it("is refused when it asks something", async () => {
    const { answer, notes, asked, inputs } = await generated({ passages: [] });
    expect(answer).toBe(refusal);
    expect(notes).toEqual({ route: "refusal" });
    expect(asked).toEqual(["declineToAnswer"]);
    expect(inputs["declineToAnswer"]).toEqual({ question, maxWords: 25 });
  });
});

describe("evidence spans", () => {
  it("come from the first five passages, at most eight, and take their place", async () => {
    const many = Array.from({ length: 10 }, (_, index) => `${span} ${index}`);
    const { inputs, notes, asked } = await generated({
      script: { extractSpans: () => spansReply(many) },
    });
    expect(inputs["extractSpans"]).toEqual({
      question,
      history: lastTurns(4),
      passages: passages.slice(0, 5),
      maxSpans: 8,
      notice: "",
    });
    expect(notes["spans"]).toBe(8);
    expect(asked.filter((step) => step === "extractSpans")).toHaveLength(1);
    expect(inputs["writeAnswerA"]).toMatchObject({
      question,
      history: lastTurns(4),
      spans: many.slice(0, 8),
    });
    expect(inputs["writeAnswerB"]).toEqual(inputs["writeAnswerA"]);
    expect(inputs["writeAnswerA"]).not.toHaveProperty("passages");
  });

  it.each<[string, AnswerScript[string]]>([
    ["brings none", () => spansReply([])],
    ["cannot be parsed", unusable],
  ])("are searched for once more, urgently, when the first attempt %s", async (_, first) => {
    const { inputs, notes, server } = await generated({
      script: {
        extractSpans: (request, round) =>
          round === 1 ? first(request, round) : spansReply([span]),
      },
    });
    expect(server.requestsOf("extractSpans")).toHaveLength(2);
    expect(inputs["extractSpans"]).toMatchObject({ notice: expect.stringMatching(/again/) });
    expect(inputs["writeAnswerA"]).toMatchObject({ spans: [span] });
    expect(notes["spans"]).toBe(1);
  });

  it("are the first three passages when the second attempt fails too", async () => {
    const { inputs, notes, asked } = await generated({ script: { extractSpans: unusable } });
    expect(asked.filter((step) => step === "extractSpans")).toHaveLength(2);
    expect(inputs["writeAnswerA"]).toMatchObject({ spans: textsOf(3) });
    expect(notes["spans"]).toBe("the first passages");
  });
});

describe("the two candidates", () => {
  it("are written side by side", async () => {
    const arrived: string[] = [];
    let release = (): void => undefined;
    const both = new Promise<void>((resolve) => (release = resolve));
    // Neither is answered before both have been asked for.
    const wait = (name: string) => {
      if (arrived.push(name) === 2) release();
    };
    const { asked } = await generated({
      script: {
        writeAnswerA: async () => {
          wait("A");
          await both;
          return answerReply(goodA);
        },
        writeAnswerB: async () => {
          wait("B");
          await both;
          return answerReply(goodB);
        },
      },
    });
    expect(arrived.toSorted()).toEqual(["A", "B"]);
    expect(asked).toContain("judgeGrounding");
  });

  it.each([
    ["bridge Ostrel cost", "keyword", 90],
    ["How do I cross the bridge of Ostrel?", "how_to", 95],
    ["Why was the bridge built there?", "explanation", 100],
    ["Is the bridge better than the ferry?", "comparative", 95],
    ["Could I have an overview of it?", "summarization", 105],
    ["When was it built, then?", "factoid", 85],
    ["Was it built by Hallam, then?", "default", 90],
  ])("for %j are styled as %s, at about %d words", async (asked, type, targetWords) => {
    const { inputs, notes } = await generated({ question: asked });
    expect(notes["questionType"]).toBe(type);
    expect(inputs["writeAnswerA"]).toMatchObject({ targetWords });
  });

  it("are written anew when both refuse, and that answer goes out as it is", async () => {
    const { answer, output, notes, asked, inputs } = await generated({
      script: {
        writeAnswerA: () => answerReply(refusal),
        writeAnswerB: () => answerReply("I don't know."),
        insistOnAnswer: () => answerReply("It's unclear, but in 1902."),
      },
    });
    expect(answer).toBe("It's unclear, but in 1902.");
    expect(output["route"]).toBe("forced");
    expect(notes).toMatchObject({ insisted: "answered", route: "forced" });
    expect(inputs["insistOnAnswer"]).toEqual({ question, spans: [span] });
    expect(asked.slice(-1)).toEqual(["insistOnAnswer"]);
  });

  it.each<[string, AnswerScript[string]]>([
    ["refuses too", () => answerReply(refusal)],
    ["is empty", () => answerReply(" ")],
    ["cannot be parsed", unusable],
  ])("go on to the judges when the answer insisted on %s", async (_, insistOnAnswer) => {
    const { answer, notes, asked } = await generated({
      script: {
        writeAnswerA: () => answerReply(refusal),
        writeAnswerB: () => answerReply(refusal),
        insistOnAnswer,
      },
    });
    expect(notes).toMatchObject({ insisted: "refused again", route: "generated" });
    expect(asked).toContain("judgeGrounding");
    // A refusal is not mended.
    expect(asked).not.toContain("adjustAnswer");
    expect(answer).toBe(refusal);
  });

  it("are not written anew when only one refuses", async () => {
    const { asked } = await generated({ script: { writeAnswerB: () => answerReply(refusal) } });
    expect(asked).not.toContain("insistOnAnswer");
  });
});

describe("the judges", () => {
  it("see five spans cut at 120 characters, words and extractiveness of both, without a user judge at rate 0", async () => {
    const long = "🌉".repeat(130);
    const { inputs, notes, asked } = await generated({
      script: { extractSpans: () => spansReply([span, long, "c", "d", "e", "f"]) },
    });
    expect(inputs["judgeGrounding"]).toEqual({
      question,
      spans: [span, "🌉".repeat(120), "c", "d", "e"],
      answerA: goodA,
      wordsA: 56,
      overlapA: 32,
      answerB: goodB,
      wordsB: 56,
      overlapB: 32,
    });
    expect(asked).not.toContain("judgePreference");
    expect(notes["selection"]).toMatchObject({ choice: "A", user: "not asked" });
  });

  it("choose B when its technical score outweighs the two points of A", async () => {
    const { answer, notes } = await generated({
      script: { judgeGrounding: () => scoresReply(2, 9) },
    });
    expect(answer).toBe(goodB);
    const { scores } = notes["selection"] as { scores: Record<string, number> };
    expect(scores["A"]).toBeCloseTo(0.7 + 2 + 2.5, 12);
    expect(scores["B"]).toBeCloseTo(3.15 + 2.5, 12);
  });

  it("ask the user judge of the turns drawn, with the last three turns", async () => {
    const { answer, inputs, notes } = await generated({
      parameters: { userJudgeRate: 1 },
      script: { judgePreference: () => preferenceReply("B", "LOW") },
    });
    expect(answer).toBe(goodB);
    expect(inputs["judgePreference"]).toEqual({
      question,
      history: lastTurns(3),
      answerA: goodA,
      answerB: goodB,
    });
    expect(notes["selection"]).toMatchObject({ user: { preferred: "B", confidence: "LOW" } });
  });

  it("draw turns by the seed, the same in every run", async () => {
    const isDrawn = async (seed: number) =>
      (await generated({ seed, parameters: { userJudgeRate: 0.5 } })).asked.includes(
        "judgePreference",
      );
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
    const first = await Promise.all(seeds.map(isDrawn));
    expect(first).toContain(true);
    expect(first).toContain(false);
    expect(await Promise.all(seeds.map(isDrawn))).toEqual(first);
  });

  it("count as 5 to 6 for B, and as a LOW preference for A, where they cannot be parsed", async () => {
    const { answer, notes, server } = await generated({
      parameters: { userJudgeRate: 1 },
      script: { judgeGrounding: unusable, judgePreference: unusable },
    });
    // 1.75 + 2 against 2.1.
    expect(answer).toBe(goodA);
    expect(notes["selection"]).toMatchObject({
      technical: { A: 5, B: 6 },
      user: { preferred: "A", confidence: "LOW" },
    });
    expect(notes).toMatchObject({
      technicalJudge: expect.stringMatching(/unusable/),
      userJudge: expect.stringMatching(/unusable/),
    });
    // No correction: the default is the answer to a parse failure.
    expect(server.requestsOf("judgeGrounding")).toHaveLength(1);
  });

  it("count a forbidden phrase against a candidate", async () => {
    const hedging = `It's unclear why, ${goodA}`;
    const { answer } = await generated({
      script: {
        writeAnswerA: () => answerReply(hedging),
        judgeGrounding: () => scoresReply(5, 6),
      },
    });
    expect(answer).toBe(goodB);
  });
});

describe("the adjustment", () => {
  const short = `${span} ${filler(20, "few")}`;
  const long = `${span} ${filler(140, "many")}`;
  const loose = filler(60, "own");

  it.each([
    ["too short", short, /too short: 40 words.*50/],
    ["too long", long, /too long: 160 words.*150/],
    ["too far from the facts", loose, /0 %.*28 %/],
    // The first of the three that holds is named.
    ["too short and too far from the facts", filler(40, "own"), /too short/],
  ])("mends an answer that is %s", async (_, written, problem) => {
    const mended = filler(30, "mended");
    const { answer, notes, inputs } = await generated({
      script: {
        writeAnswerA: () => answerReply(written),
        writeAnswerB: () => answerReply(written),
        adjustAnswer: () => adjustedReply(mended),
      },
    });
    expect(inputs["adjustAnswer"]).toEqual({
      answer: written,
      problem: expect.stringMatching(problem),
      spans: [span],
    });
    expect(answer).toBe(mended);
    expect(notes["adjustment"]).toMatchObject({ isKept: true });
  });

  it("is not asked for where nothing is wrong", async () => {
    const { asked, notes, answer } = await generated();
    expect(asked).not.toContain("adjustAnswer");
    expect(notes).not.toHaveProperty("adjustment");
    expect(answer).toBe(goodA);
  });

  it.each<[string, AnswerScript[string]]>([
    ["of less than 30 words", () => adjustedReply(filler(29, "mended"))],
    ["that refuses", () => adjustedReply(`I cannot answer ${filler(30, "mended")}`)],
    ["that cannot be parsed", unusable],
  ])("is dropped for an edit %s", async (_, adjustAnswer) => {
    const { answer, notes } = await generated({
      script: {
        writeAnswerA: () => answerReply(short),
        writeAnswerB: () => answerReply(short),
        adjustAnswer,
      },
    });
    expect(answer).toBe(short);
    expect(notes["adjustment"]).toMatchObject({ isKept: false });
  });
});

describe("the answer that goes out", () => {
  it("has no forbidden phrase left", async () => {
    const told = `${span} ${filler(32, "more")}`;
    const hedging = `${told} i'M not sure , really. Cannot find information`;
    const { answer } = await generated({
      script: {
        writeAnswerA: () => answerReply(hedging),
        writeAnswerB: () => answerReply(hedging),
      },
    });
    expect(answer).toBe(`${told}, really.`);
  });
});
