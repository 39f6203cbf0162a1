import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { RunOptions, StreamedPiece } from "espalier";
import { predict, program, reason, signature, text } from "espalier";
import { connect } from "espalier/lm";
import { rehearsalLm } from "@espalier/rehearsal";
import type { ScriptedReply } from "../support/scripted-lm.ts";
import { scriptedLm } from "../support/scripted-lm.ts";

const answer = signature({
  name: "answer",
  instruction: "Answer.",
  input: { question: text("question") },
  output: { answer: text("answer"), label: z.enum(["sure", "unsure"]).describe("How sure.") },
});

const answerer = (kind: typeof predict | typeof reason) =>
  program({
    name: "answerer",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer") },
    predictors: { answer: kind(answer) },
    forward: async ({ question }, call) => {
      call.step("Thinking it over");
      const scope = call.at("round", 2);
      scope.step("Writing");
      return scope.predictors.answer({ question }, { key: "final", stream: "answer" });
    },
  });

/** What was heard of a run, and the text that a listener ends up with. */
async function heard(
  program: ReturnType<typeof answerer>,
  replies: (index: number) => ScriptedReply,
  options: Partial<RunOptions> = {},
) {
  await using server = await scriptedLm((_, index) => replies(index));
  await using lm = connect({
    baseUrl: server.url,
    model: "scripted",
    retry: { attempts: 3, baseDelayMs: 1 },
  });
  const pieces: StreamedPiece[] = [];
  const attempt = await program.attempt(
    { question: "Why?" },
    { lm, onStream: (piece) => pieces.push(piece), ...options },
  );
  return { attempt, pieces, received: server.received };
}

const shownAfter = (pieces: readonly StreamedPiece[]): string =>
  pieces.reduce((shown, { text, restarted }) => (restarted ? text : shown + text), "");

const good = '{"answer":"So it \\"is\\".","label":"sure"}';
const cutUp = ['{"answ', 'er":"So ', 'it \\"', 'is\\".', '","label":"sure"}'];

describe("a program that streams a field", () => {
  it("sends the field's text as it is written, and the result is the same", async () => {
    const { attempt, pieces, received } = await heard(answerer(predict), () => ({ pieces: cutUp }));
    expect(attempt).toMatchObject({ state: "completed", output: { answer: 'So it "is".' } });
    expect(pieces).toEqual(
      ["So ", 'it "', 'is".'].map((text) => ({
        path: "round[2]/answer[final]",
        field: "answer",
        text,
      })),
    );
    expect(received[0]).toMatchObject({ stream: true });
  });

  it("asks for no stream where nobody listens", async () => {
    await using server = await scriptedLm(() => good);
    const { answer } = await answerer(predict).run({ question: "Why?" }, { lm: server.lm });
    expect(answer).toBe('So it "is".');
    expect(server.received[0]).not.toHaveProperty("stream", true);
  });

  it("sends the field alone of a reply that begins with reasoning", async () => {
    const { pieces, attempt } = await heard(answerer(reason), () => ({
      pieces: ['{"reasoning":"\\"answer\\":\\"no\\"",', '"answer":"Be', 'cause.","label":"sure"}'],
    }));
    expect(pieces.map((piece) => piece.text)).toEqual(["Be", "cause."]);
    expect(attempt.state).toBe("completed");
  });

  it("takes back what it sent where the reply needs a correction", async () => {
    const { pieces, attempt } = await heard(answerer(predict), (index) =>
      index === 0
        ? { pieces: ['{"answer":"Wro', 'ng.","label":"maybe"}'] }
        : { pieces: ['{"answer":"Right.', '","label":"sure"}'] },
    );
    expect(pieces.map(({ text, restarted }) => [text, restarted])).toEqual([
      ["Wro", undefined],
      ["ng.", undefined],
      ["", true],
      ["Right.", undefined],
    ]);
    expect(attempt).toMatchObject({ output: { answer: shownAfter(pieces) } });
  });

  it("takes back what it sent where the stream breaks off, and asks again", async () => {
    const { pieces, attempt, received } = await heard(answerer(predict), (index) =>
      index === 0 ? { pieces: ['{"answer":"Half'], breaksOff: true } : { pieces: cutUp },
    );
    expect(received).toHaveLength(2);
    expect(pieces.slice(0, 2).map(({ text, restarted }) => [text, restarted])).toEqual([
      ["Half", undefined],
      ["", true],
    ]);
    expect(attempt).toMatchObject({ output: { answer: shownAfter(pieces) } });
  });

  it("sends the text once at the end of a reply that stands in a code fence", async () => {
    const reply = "```json\n" + good + "\n```";
    const { pieces, attempt } = await heard(answerer(predict), () => reply);
    expect(pieces).toHaveLength(1);
    expect(attempt).toMatchObject({ state: "completed", output: { answer: pieces[0]?.text } });
  });

  it("corrects itself where a key stands twice: the last one counts", async () => {
    const reply = '{"answer":"First.","label":"sure","answer":"Second."}';
    const { pieces, attempt } = await heard(answerer(predict), () => reply);
    expect(attempt).toMatchObject({ output: { answer: "Second." } });
    expect(shownAfter(pieces)).toBe("Second.");
  });

  it("sends a cached reply in one piece", async () => {
    await using server = await scriptedLm(() => ({ pieces: cutUp }));
    await using lm = connect({ baseUrl: server.url, model: "scripted", cachePath: ":memory:" });
    const hear = async () => {
      const texts: string[] = [];
      const onStream = ({ text }: StreamedPiece): void => void texts.push(text);
      await answerer(predict).run({ question: "Why?" }, { lm, onStream });
      return texts;
    };
    expect(await hear()).toHaveLength(3);
    expect(await hear()).toEqual(['So it "is".']);
    expect(server.received).toHaveLength(1);
  });

  it("adds up with the rehearsal LM, which writes token by token", async () => {
    const pieces: StreamedPiece[] = [];
    const { answer: whole } = await answerer(reason).run(
      { question: "What grows along a frame?" },
      { lm: rehearsalLm(), onStream: (piece) => pieces.push(piece) },
    );
    expect(shownAfter(pieces)).toBe(whole);
  });

  it("refuses a field that is no text of the signature, whoever listens", async () => {
    const careless = program({
      ...answerer(predict),
      name: "careless",
      forward: async ({ question }, { predictors }) => {
        // @ts-expect-error -- a label is not written bit by bit
        return predictors.answer({ question }, { stream: "label" });
      },
    });
    await using server = await scriptedLm(() => good);
    const run = careless.run({ question: "Why?" }, { lm: server.lm });
    await expect(run).rejects.toMatchObject({ code: "option-invalid" });
    expect(server.received).toHaveLength(0);
  });
});

describe("a program that reports its steps", () => {
  it("tells each with the path of its scope, in order", async () => {
    const steps: unknown[] = [];
    await heard(answerer(predict), () => good, { onStep: (step) => steps.push(step) });
    expect(steps).toEqual([
      { path: "", text: "Thinking it over" },
      { path: "round[2]", text: "Writing" },
    ]);
  });

  it("leaves the same trace, heard or unheard", async () => {
    await using server = await scriptedLm(() => good);
    const clock = { now: () => 0, epochMs: () => 0 };
    const run = { lm: server.lm, clock };
    const traces = await Promise.all(
      [run, { ...run, onStep: () => {}, onStream: () => {} }].map(async (options) => {
        const { trace } = await answerer(predict).attempt({ question: "Why?" }, options);
        return JSON.stringify(trace);
      }),
    );
    expect(traces[0]).toBe(traces[1]);
  });

  it("is heard of no more once the run is over", async () => {
    const steps: string[] = [];
    let late = (): void => {};
    const leaving = program({
      ...answerer(predict),
      name: "leaving",
      forward: async (_, call) => {
        late = () => call.step("late");
        return { answer: "" };
      },
    });
    await using server = await scriptedLm(() => good);
    await leaving.run(
      { question: "Why?" },
      { lm: server.lm, onStep: ({ text: told }) => steps.push(told) },
    );
    late();
    expect(steps).toEqual([]);
  });
});
