import type { JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Finding } from "./server-examination.ts";
import type { TrialServer } from "./trial-server.ts";
import { brief, supported, unknown, unsupported } from "./trial-server.ts";
import type { ChatEnvelope } from "../chat/chat-envelope.ts";
import { textsOf } from "../chat/wire-texts.ts";
import { property } from "../client/reply-values.ts";

const one: JsonObject = { max_completion_tokens: 1 };

/** Sampling keys that vLLM has and OpenAI lacks, at values that turn them off. */
export const trySampling = (server: TrialServer): Promise<Finding> =>
  tryField(server, { top_k: -1, min_p: 0, repetition_penalty: 1 }, { top_k: "much" });

/**
 * Older versions of vLLM reject a priority unless they were started with `--scheduling-policy
 * priority`; 0.32 takes any, whether it schedules by it or not.
 */
export async function tryPriority(server: TrialServer): Promise<Finding> {
  const found = await tryField(server, { priority: 1 }, { priority: "high" });
  return found.state === "supported"
    ? unknown("accepts a priority; whether it schedules by priority cannot be seen")
    : found;
}

export const tryCacheSalt = (server: TrialServer): Promise<Finding> =>
  tryField(server, { cache_salt: "espalier-doctor" }, { cache_salt: "" });

/**
 * A server reads a key if it rejects a wrong value: servers that ignore the key accept a right one
 * as well.
 */
async function tryField(
  server: TrialServer,
  right: JsonObject,
  wrong: JsonObject,
): Promise<Finding> {
  const refusedRight = await refusalOf(server, right);
  if (refusedRight !== null) return unsupported(refusedRight);
  const refusedWrong = await refusalOf(server, wrong);
  return refusedWrong === null
    ? unknown(`also accepts ${JSON.stringify(wrong)}: the key seems to be ignored`)
    : supported(`accepts ${JSON.stringify(right)}, rejects ${JSON.stringify(wrong)}`);
}

async function refusalOf(server: TrialServer, keys: JsonObject): Promise<string | null> {
  try {
    await server.chat({ ...one, ...keys });
    return null;
  } catch (error) {
    if (EspalierError.isInstance(error) && error.kind === "program") return brief(error);
    throw error;
  }
}

/** A budget beyond the context must be rejected, with an error distinct from other rejections. */
export async function tryContextOverflow(
  server: TrialServer,
  maxModelLength: number | null,
  quiet: JsonObject,
): Promise<Finding> {
  const tokens = (maxModelLength ?? 100_000_000) + 1;
  try {
    // The stops limit the reply of a server that accepts the budget.
    await server.chat({ ...quiet, max_completion_tokens: tokens, stop: ["y", "Y", "."] });
    return unknown(`accepted a budget of ${tokens} tokens: the server silently reduces it`);
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error;
    if (error.code === "lm-context-overflow") {
      return supported("rejects a budget beyond the whole context, with a distinct error");
    }
    if (error.kind !== "program") throw error;
    return unsupported(`indistinguishable from other rejections: ${brief(error)}`);
  }
}

/**
 * Asks for more alternatives than any server returns; the rejection names the cap, which is tried
 * next.
 */
export async function tryLogprobs(
  server: TrialServer,
  quiet: JsonObject,
): Promise<{ readonly finding: Finding; readonly most: number }> {
  let count = 1_000;
  for (;;) {
    try {
      const keys = { ...quiet, max_completion_tokens: 1, logprobs: true, top_logprobs: count };
      const reply = await server.chat(keys);
      const got = alternativesIn(reply);
      if (got === null) return { finding: unsupported("ignored with status 200"), most: 0 };
      return { finding: supported(`${got} of ${count} alternatives`), most: got };
    } catch (error) {
      if (!EspalierError.isInstance(error) || error.kind !== "program") throw error;
      const next = smallerThan(count, error.report.got ?? "");
      if (next === undefined) return { finding: unsupported(brief(error)), most: 0 };
      count = next;
    }
  }
}

function alternativesIn({ choices: [{ logprobs }] }: ChatEnvelope): number | null {
  const tokens = property(logprobs, "content");
  if (!Array.isArray(tokens)) return null;
  const counts = tokens.map((token) => property(token, "top_logprobs"));
  return Math.max(0, ...counts.map((top) => (Array.isArray(top) ? top.length : 0)));
}

/** The largest smaller number that the rejection mentions; otherwise the usual caps in turn. */
function smallerThan(count: number, refusal: string): number | undefined {
  const named = (refusal.match(/\d+/g) ?? []).map(Number).filter((n) => n > 1 && n < count);
  if (named.length > 0 && count === 1_000) return Math.max(...named);
  return [20, 5, 1].find((usual) => usual < count);
}

/** The same seed must draw the same reply, another seed a different one. */
export async function trySeed(server: TrialServer, quiet: JsonObject): Promise<Finding> {
  const draw = async (seed: number): Promise<string> => {
    const reply = await server.chat({
      ...quiet,
      messages: drawing,
      temperature: 1,
      seed,
      max_completion_tokens: 12,
    });
    const { content, reasoning } = textsOf(reply.choices[0].message);
    return [reasoning ?? "", content ?? ""].join("\n");
  };
  const [first, again, other] = [await draw(1), await draw(1), await draw(2)];
  if (first !== again) return unsupported("the same seed produced two different texts");
  return first === other
    ? unknown("two seeds produced the same text, so the seed may have no effect")
    : supported("the same seed repeated its text, and another seed produced a different one");
}

const drawing = [{ role: "user", content: "Name eight random animals, separated by commas." }];

/** `stream_options.include_usage`. */
export async function tryStreamingUsage(server: TrialServer, quiet: JsonObject): Promise<Finding> {
  const keys = { ...quiet, max_completion_tokens: 4, stream_options: { include_usage: true } };
  const { text, usage } = await server.chatStream(keys);
  if (usage === null) return unsupported("streams, but without usage at the end");
  return supported(
    `usage at the end of the stream${text === "" ? ", which contained no text" : ""}`,
  );
}
