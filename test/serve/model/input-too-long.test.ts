import { conversation, predict, program, signature, text } from "espalier";
import { chatModel, serving } from "espalier/serve";
import { mmuRag } from "../../../programs/r2rag/mmu-rag/index.ts";
import { expect, test } from "vitest";
import { asked, clientOf, declared, served } from "../served.ts";
import { answering, upstream } from "../upstream.ts";

const input = {
  question: text("question", "", { max: 100 }),
  history: conversation(),
  notes: text("notes", "", { max: 50_000 }),
};
const answer = signature({
  name: "answer",
  instruction: "Answer.",
  input,
  output: { answer: text("answer") },
});
/** The question has a maximum below the default, the notes have one above it. */
const bounded = program({
  name: "bounded",
  version: "1",
  input,
  output: { answer: text("answer") },
  predictors: { answer: predict(answer) },
  forward: (given, { predictors }) => predictors.answer(given),
});
const withNotes = serving({
  name: "bounded",
  models: [
    chatModel({
      id: "bounded",
      program: bounded,
      inputOf: ({ question, history }) => {
        const [brief = "", notes = ""] = question.split("\n");
        return { question: brief, history, notes };
      },
      answerOf: (output) => output,
    }),
  ],
});

test("a question or turn that is too long is refused with field, limit and length, and no program runs", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, { maxInput: 1_000 });
  const { completions } = clientOf(server).chat;
  const tooLong = "x".repeat(1_001);
  const history = { role: "user" as const, content: tooLong };
  const model = "towns/answerer";
  for (const stream of [false, true]) {
    await expect(completions.create({ ...asked(tooLong, model), stream })).rejects.toMatchObject({
      status: 400,
      code: "input_too_long",
      param: "messages",
      type: "invalid_request_error",
      message: "400 The input `question` has 1001 characters; this model accepts at most 1000.",
    });
  }
  const messages = [{ role: "assistant" as const, content: "Hi." }, history, ...asked().messages];
  await expect(completions.create({ model, messages })).rejects.toMatchObject({
    message: "400 The input `history.1.text` has 1001 characters; this model accepts at most 1000.",
  });
  expect(lm.requests).toEqual([]);
  await completions.create(asked("x".repeat(1_000), model));
});

test("the maximum of a field goes before the server's, whichever is longer", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, { serving: withNotes, maxInput: 1_000 });
  const ask = (question: string) =>
    clientOf(server).chat.completions.create(asked(question, "bounded"));
  await expect(ask("x".repeat(101))).rejects.toMatchObject({
    message: "400 The input `question` has 101 characters; this model accepts at most 100.",
  });
  await expect(ask(`Where?\n${"x".repeat(50_001)}`)).rejects.toMatchObject({
    message: "400 The input `question` has 50008 characters; this model accepts at most 50000.",
  });
  expect(lm.requests).toEqual([]);
  await expect(ask(`Where?\n${"x".repeat(49_000)}`)).resolves.toMatchObject({
    object: "chat.completion",
  });
});

test("the routes of MMU-RAG refuse a question that is too long", async () => {
  await using lm = await upstream(answering("There."));
  const adapters = [mmuRag({ model: "at-once" })];
  await using server = await served(lm, { serving: declared, adapters, maxInput: 1_000 });
  const question = "x".repeat(1_001);
  const post = (path: string, body: object) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const run = await post("/run", { question });
  expect(run.status).toBe(400);
  const error = { code: "input_too_long", message: /1001 characters.* at most 1000/ };
  expect(await run.json()).toMatchObject({
    error: { ...error, message: expect.stringMatching(error.message), param: "question" },
  });
  const evaluated = await post("/evaluate", { query: question, iid: 1 });
  expect(evaluated.status).toBe(400);
  expect(await evaluated.json()).toMatchObject({
    error: { code: "input_too_long", param: "query" },
    detail: expect.stringMatching(error.message),
  });
  expect(lm.requests).toEqual([]);
});
