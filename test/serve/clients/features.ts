import { z } from "zod";
import { extracted, modelIds, redSign, weatherIn } from "./served-programs.ts";

/** What clients are tried with. */
export const features = [
  "models",
  "answer",
  "stream",
  "conversation",
  "object",
  "streamedObject",
  "image",
  "toolsRefused",
  "tools",
  "streamedTools",
  "badKey",
  "unknownModel",
] as const;
export type Feature = (typeof features)[number];

/** What a client has not, or not in the same way, whatever the server does; `–` is nothing. */
export const peculiarities: Readonly<
  Record<string, Readonly<Partial<Record<Feature, "–" | "listed">>>>
> = {
  "`openai`, npm: chat completions": {},
  "`openai`, npm: responses": {},
  "`openai`, Python: chat completions": {},
  "`openai`, Python: responses": {},
  "LangChain.js, `@langchain/openai`: chat completions": { models: "–" },
  "LangChain.js, `@langchain/openai`: responses": { models: "–" },
  "AI SDK, `@ai-sdk/openai`: chat completions": { models: "–" },
  "AI SDK, `@ai-sdk/openai`: responses": { models: "–" },
  "AI SDK, `@ai-sdk/openai-compatible`: chat completions": { models: "–" },
  "LiteLLM: chat completions": { models: "listed" },
  "LiteLLM: responses": { models: "listed" },
};

/** One client over one route; `null` where it has no such thing itself. */
export type TriedClient = Readonly<Record<Feature, (() => Promise<unknown>) | null>>;

/** Where a client's requests go. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const { vendor, total } = extracted;
const calls = [{ town: "Ostrel" }, { town: "Vessen" }];
const loop = { calls, text: "There is rain and sun." };

/** The same for all clients. */
export const expected: Readonly<Record<Feature, unknown>> = {
  models: { listed: [...modelIds], retrieved: "towns/answerer" },
  answer: { text: "There, at the river [1].", tokens: [20, 10] },
  stream: { text: "There, at the river [1].", isInPieces: true },
  conversation: "As I said, a town [1].",
  object: { vendor, total },
  streamedObject: { vendor, total },
  image: "A red sign.",
  toolsRefused: "whose steps do not call the client's tools",
  tools: loop,
  streamedTools: loop,
  badKey: 401,
  unknownModel: 404,
};

/** The key that they have. */
export const apiKey = "a-key-of-the-clients-under-test-01";

/** What clients ask. */
export const asked = {
  question: "Where is it?",
  before: { question: "Tell me about Ostrel.", answer: "It is a town." },
  invoice: "Flour, 2 sacks",
  sign: "What is it?",
  redSign,
  weather: "How is the weather in Ostrel and Vessen?",
} as const;

export const invoiceSchema = z.object({ vendor: z.string(), total: z.number() });

/** The client's tool. */
export const weather = {
  name: "weather",
  description: "The weather in a town.",
  schema: z.object({ town: z.string() }),
  parameters: {
    type: "object",
    properties: { town: { type: "string" } },
    required: ["town"],
    additionalProperties: false,
  },
  run: ({ town }: { readonly town: string }): string => weatherIn[town] ?? "unknown",
};

/** Joins the pieces of a stream. */
export async function joined(
  pieces: AsyncIterable<string>,
): Promise<{ readonly text: string; readonly isInPieces: boolean }> {
  const heard: string[] = [];
  for await (const piece of pieces) if (piece !== "") heard.push(piece);
  return { text: heard.join(""), isInPieces: heard.length > 1 };
}

/** The error of a request that must fail. */
async function refusal(request: Promise<unknown>): Promise<Error> {
  try {
    await request;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("It was taken.");
}

/** The sentence that all refusals of tools hold; the whole message where it does not. */
export const refusedTools = async (request: Promise<unknown>): Promise<string> => {
  const { message } = await refusal(request);
  const sentence = String(expected.toolsRefused);
  return message.includes(sentence) ? sentence : message;
};

export const statusOf = async (
  request: Promise<unknown>,
  key: "status" | "statusCode",
): Promise<unknown> => ((await refusal(request)) as unknown as Record<string, unknown>)[key];
