import { expect, it } from "vitest";
import { EspalierError } from "../../src/errors/index.ts";
import type { RandomSource } from "../../src/internal/index.ts";
import { randomSource } from "../../src/internal/index.ts";
import { connect } from "../../src/lm/index.ts";
import type { Answer } from "../support/vllm-server.ts";
import { chatPath, vllmServer } from "../support/vllm-server.ts";
import { requestOf } from "./requests.ts";

// Replies in the shapes of many providers, with keys dropped, emptied, retyped and added.

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
const text = "the answer";

/** Whole replies that all say the same. */
const messages: readonly Json[] = [
  { role: "assistant", content: text },
  { role: "assistant", content: text, refusal: null, annotations: [], audio: null },
  { role: "assistant", content: [{ type: "text", text }] },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
      { type: "text", text },
    ],
  },
  { role: "assistant", content: text, reasoning: "hm", reasoning_details: [{ text: "hm" }] },
  { role: "assistant", content: text, reasoning_content: "hm", tool_calls: [] },
  { role: "assistant", content: text, tool_calls: null, function_call: null },
];

const wholeOf = (message: Json, random: RandomSource): Json => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  system_fingerprint: null,
  service_tier: "default",
  choices: [
    {
      index: 0,
      message,
      logprobs: null,
      finish_reason: random.choice(["stop", "STOP", "end_turn", "eos_token"]),
      native_finish_reason: "stop",
      content_filter_results: { hate: { filtered: false, severity: "safe" } },
    },
  ],
  usage: {
    ...usage,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  },
  x_groq: { id: "req" },
  timings: { predicted_per_second: 3.5 },
});

/** What nobody needs for the answer: a mutation of it must cost neither the reply nor a request. */
const beside = new Set([
  "id",
  "object",
  "created",
  "model",
  "system_fingerprint",
  "service_tier",
  "index",
  "logprobs",
  "native_finish_reason",
  "content_filter_results",
  "usage",
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "prompt_tokens_details",
  "completion_tokens_details",
  "cached_tokens",
  "reasoning_tokens",
  "x_groq",
  "timings",
  "role",
  "annotations",
  "audio",
  "function_call",
  "reasoning_details",
]);

const odd: readonly Json[] = [
  null,
  "",
  "5",
  -1,
  1.5,
  true,
  [],
  {},
  [null],
  { error: null },
  "\ud83d",
  9_007_199_254_740_991,
];

interface Mutated {
  readonly body: Json;
  /** Whether only what nobody needs was changed. */
  readonly isHarmless: boolean;
}

/** Changes up to three places. */
function mutated(body: Json, random: RandomSource): Mutated {
  const copy = structuredClone(body);
  let isHarmless = true;
  for (let left = random.below(4); left > 0; left--) {
    const places = placesIn(copy);
    const { holder, key, names } = random.choice(places);
    isHarmless &&= names.some((name) => beside.has(name));
    const draw = random.below(4);
    if (draw === 0 && !Array.isArray(holder)) delete (holder as Record<string, Json>)[key];
    else if (draw === 1) (holder as Record<string, Json>)[`${key}_x`] = random.choice(odd);
    else (holder as Record<string, Json>)[key] = structuredClone(random.choice(odd));
  }
  return { body: copy, isHarmless };
}

interface Place {
  readonly holder: Json[] | { [key: string]: Json };
  readonly key: string;
  /** From the root. */
  readonly names: readonly string[];
}

function placesIn(value: Json, names: readonly string[] = []): readonly Place[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    { holder: value, key, names: [...names, key] },
    ...placesIn(inner, [...names, key]),
  ]);
}

const failures: readonly Json[] = [
  { message: "engine died", code: 500 },
  { message: "overloaded", type: "overloaded_error" },
  { message: "Provider returned error", code: 502, metadata: { raw: "x" } },
  "CUDA error",
];
const brokenOff = ["error", "abort", "insufficient_system_resource", "network_error", "cancelled"];

/** The same, but the server says that it failed. */
function failing(body: Json, random: RandomSource): Json {
  const copy = structuredClone(body) as { choices: Record<string, Json>[]; error?: Json };
  const [choice] = copy.choices;
  const draw = random.below(3);
  if (draw === 0) copy.error = random.choice(failures);
  else if (draw === 1) choice!["error"] = random.choice(failures);
  else choice!["finish_reason"] = random.choice(brokenOff);
  return copy;
}

/** A whole reply as a stream of pieces, cut at any byte, with comments and either line end. */
function streamed(body: Json, random: RandomSource): Answer {
  const { choices, ...head } = body as { choices: Record<string, Json>[] } & Record<string, Json>;
  const [{ message, finish_reason: reason, ...choice }] = choices as [Record<string, Json>];
  const last = { ...choice, delta: {}, finish_reason: reason ?? null };
  const { usage: said, error, ...others } = head;
  const chunks: Json[] = [
    { ...others, choices: [{ ...choice, delta: message ?? {}, finish_reason: null, error: null }] },
    { ...others, choices: [last], ...(error !== undefined && { error }) },
    { ...others, choices: [], usage: said ?? null },
  ];
  const end = random.choice(["\n", "\r\n"]);
  const lines = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}${end}${end}`);
  if (random.below(3) === 0) lines.splice(random.below(3), 0, `: keep-alive${end}${end}`);
  if (random.below(4) > 0) lines.push(`data: [DONE]${end}${end}`);
  const bytes = Buffer.from(lines.join(""));
  const cut = random.below(bytes.length);
  return (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(bytes.subarray(0, cut));
    response.end(bytes.subarray(cut));
  };
}

function whole(body: Json, random: RandomSource, isCut: boolean): Answer {
  const said = `${random.choice(["", "\n", "  "])}${JSON.stringify(body)}`;
  return (_request, response) => {
    response.writeHead(200, { "content-type": "application/json; charset=utf-8" });
    response.end(isCut ? said.slice(0, said.length >> 1) : said);
  };
}

it("of 10,000 mutated replies none crashes or hangs, hides a fault or is paid for twice", async () => {
  await using server = await vllmServer();
  const answers = new Map<string, Answer>();
  const asked = new Map<string, number>();
  server.always(chatPath, (request, response) => {
    const name = String(request.body.messages[0].content);
    asked.set(name, (asked.get(name) ?? 0) + 1);
    return answers.get(name)?.(request, response);
  });
  await using lm = connect({
    baseUrl: server.baseUrl,
    model: "m",
    concurrency: 32,
    examinationsFolder: null,
    retry: { attempts: 2, baseDelayMs: 0 },
  });

  const wrong: object[] = [];
  const counts = { used: 0, faults: 0, unusable: 0 };
  const one = async (seed: number): Promise<void> => {
    const random = randomSource(seed, "replies");
    const name = `reply ${seed}`;
    const good = wholeOf(random.choice(messages), random);
    const { body, isHarmless } = mutated(good, random);
    const isFailing = random.below(4) === 0;
    const sent = isFailing ? failing(good, random) : body;
    const isStreamed = random.below(2) === 0 && isChunkable(sent);
    const isCut = !isStreamed && random.below(20) === 0;
    answers.set(name, isStreamed ? streamed(sent, random) : whole(sent, random, isCut));
    const outcome = await lm
      .doGenerate(requestOf(name), isStreamed ? { onDelta: () => {}, onRestart: () => {} } : {})
      .then(
        (reply) => ({ reply }),
        (error: unknown) => ({ error }),
      );
    const times = asked.get(name) ?? 0;
    const note = { seed, isStreamed, times, sent: JSON.stringify(sent), outcome };
    if ("reply" in outcome) {
      counts.used++;
      if (isFailing || times !== 1)
        wrong.push({ ...note, why: "a fault was used, or bought again" });
      return;
    }
    const { error } = outcome;
    if (!EspalierError.isInstance(error)) {
      wrong.push({ ...note, why: "no error of ours" });
      return;
    }
    if (error.kind === "infrastructure") counts.faults++;
    else counts.unusable++;
    if (isFailing && error.kind !== "infrastructure") wrong.push({ ...note, why: "not a fault" });
    if (!isFailing && isHarmless && !isCut) wrong.push({ ...note, why: "a good reply is lost" });
  };
  for (let start = 0; start < 10_000; start += 200) {
    await Promise.all(Array.from({ length: 200 }, (_, index) => one(start + index)));
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(counts.used).toBeGreaterThan(4_000);
  expect(counts.faults).toBeGreaterThan(2_000);
});

function isChunkable(body: Json): boolean {
  const choices = (body as { choices?: Json } | null)?.choices;
  const first = Array.isArray(choices) ? choices[0] : undefined;
  return first !== null && typeof first === "object" && !Array.isArray(first);
}
