import type { JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Finding } from "./server-examination.ts";
import type { TrialServer } from "./trial-server.ts";
import { brief, supported, unknown, unsupported } from "./trial-server.ts";

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
    ? unknown("accepts a priority; whether it schedules by it does not show")
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
    return unknown(`accepted a budget of ${tokens} tokens: it is reduced silently`);
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error;
    if (error.code === "lm-context-overflow") {
      return supported("rejects a budget beyond the whole context, with a distinct error");
    }
    if (error.kind !== "program") throw error;
    return unsupported(`indistinguishable from other rejections: ${brief(error)}`);
  }
}
