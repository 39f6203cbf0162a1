import { conversation, predict, program, signature, text } from "espalier";
import type { ChatServer, ChatServerOptions } from "espalier/serve";
import { chatModel, chatServer, citationsOf, serving } from "espalier/serve";
import OpenAI from "openai";
import type { Upstream } from "./upstream.ts";

const answer = signature({
  name: "answer",
  instruction: "Answer the question.",
  input: { question: text("question"), history: conversation() },
  output: { answer: text("answer") },
});

/** Two steps and two calls, of which the second is streamed. */
const answerer = program({
  name: "answerer",
  version: "1",
  input: { question: text("question"), history: conversation() },
  output: { answer: text("answer") },
  predictors: { draft: predict(answer), answer: predict(answer) },
  forward: async (given, call) => {
    call.step("Thinking\n");
    await call.predictors.draft(given);
    call.step("Writing\n");
    return call.predictors.answer(given, { stream: "answer" });
  },
});

/** One call, streamed. */
export const atOnce = program({
  name: "at-once",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer") },
  predictors: { answer: predict(answer) },
  forward: async ({ question }, call) =>
    call.predictors.answer({ question, history: [] }, { stream: "answer" }),
});

/** Another program of that name. */
export const changedAtOnce = program({
  name: "at-once",
  version: "2",
  input: { question: text("question") },
  output: { answer: text("answer") },
  predictors: atOnce.predictors,
  forward: async () => ({ answer: "Here." }),
});

const towns = [
  {
    id: "p1",
    title: "Ostrel",
    text: "Ostrel lies at a river.",
    metadata: { url: "https://a.example/1" },
  },
  { id: "p2", text: "The bridge is of iron." },
];

export const declared = serving({
  name: "towns",
  models: [
    chatModel({
      id: "towns/answerer",
      description: "Answers questions about two towns.",
      exampleQuestions: ["Where is Ostrel?", "Of what is the bridge?", "How long is the Vessen?"],
      program: answerer,
      inputOf: ({ question, history }) => ({ question, history }),
      answerOf: ({ answer }) => ({ answer, citations: citationsOf(towns) }),
    }),
    chatModel({
      id: "at-once",
      program: atOnce,
      inputOf: ({ question }) => ({ question }),
      answerOf: ({ answer }) => ({ answer }),
    }),
  ],
});

/** The models above on a server of their own, asking `upstream`. */
export function served(
  upstream: Upstream,
  options: Partial<ChatServerOptions> = {},
): Promise<ChatServer> {
  return chatServer({ serving: declared, lm: upstream.lm, drainMs: 200, ...options });
}

/** OpenAI's own client, which neither retries nor asks another machine. */
export function clientOf({ url }: ChatServer, apiKey = "none"): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
}

export const asked = (content = "Where?", model = "at-once") => ({
  model,
  messages: [{ role: "user" as const, content }],
});
