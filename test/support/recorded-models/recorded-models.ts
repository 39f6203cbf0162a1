import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedToken, LanguageModel, LmReply } from "../../../src/contract/index.ts";
import { cached } from "espalier/lm";
import { afterAll } from "vitest";
import { cacheOnly } from "../../../src/lm/files.ts";
import type { RecordedModel } from "./models.ts";
import { models } from "./models.ts";

/**
 * Trained models that answer a test file from `NAME.jsonl` beside this file, a line for each reply,
 * under the key that caches use. Any other call fails: prompts, schemas or sampling have changed.
 * `npm run record:models` runs the same tests with the models inside the process and rewrites these
 * files: it asks what is not recorded yet, and drops what no test asks any more. It needs
 * `ESPALIER_MODELS`, a folder with the weights, or fetches them into `ESPALIER_TEST_CACHE`.
 */
export function recordedModels(name: string): (model: RecordedModel) => LanguageModel {
  const path = join(import.meta.dirname, `${name}.jsonl`);
  const recorded = new Map(linesOf(path).map((line) => [line.key, line]));
  const asked = new Map<string, RecordedReply>();
  if (isRecording) {
    // oxlint-disable-next-line no-empty-pattern -- vitest reads what fixtures a hook asks for.
    afterAll(({}, { tasks }) => {
      // A test that failed may not have asked for all of its replies.
      if (tasks.some(({ result }) => result?.state === "fail")) return;
      const lines = [...asked.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
      writeFileSync(path, lines.map(jsonLine).join(""));
    });
  }
  return (model) => {
    const identity = { provider: "local", model: models[model] };
    return cached(isRecording ? live(model) : cacheOnly(identity, notRecorded), {
      get: (callKey) => {
        const line = asked.get(keyOf(callKey)) ?? recorded.get(keyOf(callKey));
        if (line === undefined) return undefined;
        asked.set(line.key, line);
        return replyIn(line, model);
      },
      set: (callKey, reply) => {
        const line = { key: keyOf(callKey), model, ...lineOf(reply) };
        asked.set(line.key, line);
        // At once, so that a recording that is interrupted goes on where it was.
        appendFileSync(path, jsonLine(line));
      },
    });
  };
}

const isRecording = process.env["ESPALIER_RECORD_MODELS"] !== undefined;

const notRecorded = {
  problem: "No recorded reply of a trained model answers this call",
  fix: "If a prompt, a schema or sampling has changed on purpose, run `npm run record:models`.",
};

const connections = new Map<RecordedModel, Promise<LanguageModel>>();

/** The model itself. What it says is read as from its recording, so that both say the same. */
function live(model: RecordedModel): LanguageModel {
  const identity = { provider: "local", model: models[model] };
  return {
    identity,
    doGenerate: async (request, options) => {
      const { connectLocal } = await import("@espalier/local");
      const connection = connections.get(model) ?? connectLocal({ model, concurrency: 1 });
      connections.set(model, connection);
      const lm = await connection;
      if (lm.identity.model !== identity.model)
        throw new Error(`${model} is ${lm.identity.model}.`);
      return replyIn(lineOf(await lm.doGenerate(request, options)), model);
    },
  };
}

/** A line of a recording. */
interface RecordedReply {
  /** The first half of the digits of the call's key. */
  readonly key: string;
  readonly model: RecordedModel;
  readonly content: string | null;
  /** Absent: it stopped. */
  readonly finishReason?: LmReply["finishReason"];
  readonly toolCalls?: NonNullable<LmReply["toolCalls"]>;
  /** Of the prompt and of the reply. */
  readonly tokens: readonly [number | null, number | null];
  /** Each token and its alternatives, as token and log-probability in turn. */
  readonly logprobs?: readonly (readonly (string | number)[])[];
}

function linesOf(path: string): readonly RecordedReply[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as RecordedReply]));
}

function jsonLine(line: RecordedReply): string {
  return `${JSON.stringify(line)}\n`;
}

function keyOf(callKey: string): string {
  return callKey.slice(0, 32);
}

function lineOf(reply: LmReply): Omit<RecordedReply, "key" | "model"> {
  const { content, finishReason, toolCalls, usage, logprobs } = reply;
  return {
    content,
    ...(finishReason !== "stop" && { finishReason }),
    ...(toolCalls && { toolCalls }),
    tokens: [usage.promptTokens, usage.completionTokens],
    ...(logprobs && {
      logprobs: logprobs.map((token) =>
        [token, ...token.top].flatMap((one) => [one.token, Number(one.logprob.toFixed(4))]),
      ),
    }),
  };
}

function replyIn(
  {
    content,
    finishReason = "stop",
    toolCalls,
    tokens,
    logprobs,
  }: Omit<RecordedReply, "key" | "model">,
  model: RecordedModel,
): LmReply {
  const [promptTokens, completionTokens] = tokens;
  return {
    content,
    reasoning: null,
    finishReason,
    ...(toolCalls && { toolCalls }),
    usage: { promptTokens, completionTokens, cachedPromptTokens: null, reasoningTokens: null },
    ...(logprobs && { logprobs: logprobs.map(tokenIn) }),
    model,
    latencyMs: 0,
    source: "recording",
  };
}

function tokenIn(flat: readonly (string | number)[]): GeneratedToken {
  const [own, ...top] = Array.from({ length: flat.length / 2 }, (_, index) => ({
    token: String(flat[2 * index]),
    logprob: Number(flat[2 * index + 1]),
  }));
  return { ...(own ?? { token: "", logprob: 0 }), top };
}
