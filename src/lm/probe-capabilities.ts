import { EspalierError } from "../errors/index.ts";
import type { LanguageModel, LmRequest } from "../contract/index.ts";
import type { OpenAiCompatibleOptions } from "./openai-compatible.ts";
import { openAiCompatible } from "./openai-compatible.ts";
import { defaultSampling } from "./sampling.ts";
import { serverConnection } from "./server-connection.ts";
import type { ServerInfo } from "./server-info.ts";
import { serverInfo } from "./server-info.ts";

export interface Capabilities {
  /** A reply follows its JSON schema (`response_format`). */
  readonly jsonSchema: boolean;
  /** A reply is one of the texts in `structured_outputs.choice`. */
  readonly choice: boolean;
  readonly logprobs: boolean;
  /** `POST /tokenize` counts tokens. */
  readonly tokenize: boolean;
  readonly maxModelLength: number | null;
  readonly version: ServerInfo["version"];
}

/**
 * Finds out by trying what a server can do. vLLM ignores unknown fields and answers 200, so each
 * trial asks for something that the model would not do by itself.
 */
export async function probeCapabilities(
  options: OpenAiCompatibleOptions & { readonly signal?: AbortSignal },
): Promise<Capabilities> {
  const { model, signal } = options;
  const info = await serverInfo(options);
  const lm = openAiCompatible(options);
  const reply = async (more: Partial<LmRequest>): Promise<string | null> =>
    (await lm.doGenerate({ ...request, ...more }, signal === undefined ? {} : { signal })).content;

  return {
    jsonSchema: await holds(async () => isOdd(fieldIn(await reply({ responseSchema: schema })))),
    choice: await holds(async () =>
      isOdd(await reply({ extraBody: { structured_outputs: { choice: oddWords } } })),
    ),
    logprobs: await holds(async () => (await reply({ topLogprobs: 1 })) !== undefined),
    tokenize: await holds(() => countsTokens(options)),
    maxModelLength: info.models.find(({ id }) => id === model)?.maxModelLength ?? null,
    version: info.version,
  };
}

/** Whether a trial succeeds; a refusal is a no, while a fault of the line is nobody's answer. */
async function holds(trial: () => Promise<boolean>): Promise<boolean> {
  try {
    return await trial();
  } catch (error) {
    if (EspalierError.isInstance(error) && error.kind === "program") return false;
    throw error;
  }
}

const oddWords = ["quokka-9", "zebra-7"];

const schema: NonNullable<LmRequest["responseSchema"]> = {
  name: "odd_word",
  schema: {
    type: "object",
    properties: { word: { type: "string", enum: oddWords } },
    required: ["word"],
    additionalProperties: false,
  },
};

const request: Parameters<LanguageModel["doGenerate"]>[0] = {
  messages: [{ role: "user", content: "Reply with the single word `yes` and nothing else." }],
  sampling: { ...defaultSampling, maxCompletionTokens: 64 },
  seed: 0,
  thinking: false,
};

function isOdd(word: unknown): boolean {
  return typeof word === "string" && oddWords.includes(word);
}

function fieldIn(content: string | null): unknown {
  try {
    return (JSON.parse(content ?? "") as { readonly word?: unknown }).word;
  } catch {
    return undefined;
  }
}

async function countsTokens(
  options: OpenAiCompatibleOptions & { readonly signal?: AbortSignal },
): Promise<boolean> {
  const { baseUrl, model, signal } = options;
  const url = `${baseUrl.replace(/\/v1\/?$/, "")}/tokenize`;
  const body = { model, prompt: "one two three" };
  const reply = await serverConnection(options).post(url, body, { signal });
  return typeof (reply as { readonly count?: unknown } | null)?.count === "number";
}
