import { z } from "zod";
import { EspalierError, LmError } from "../../errors/index.ts";
import { arrayOf, offeredModels } from "./reply-values.ts";
import { readEnvelope } from "./read-envelope.ts";
import type { ServerConnection, ServerOptions } from "./server-connection.ts";
import { serverConnection } from "./server-connection.ts";

/** What a server reports about itself: the fingerprint stored with results obtained from it. */
export interface ServerInfo {
  readonly models: readonly ServedModel[];
  /** `null` if the server does not report it; only vLLM and related servers do. */
  readonly version: string | null;
  /** `null` if the server has no such route. */
  readonly isHealthy: boolean | null;
}

export interface ServedModel {
  readonly id: string;
  /** Tokens of prompt and reply together; `null` if the server does not report it. */
  readonly maxModelLength: number | null;
}

export interface ServerInfoOptions extends ServerOptions {
  /** Must be among the models offered. */
  readonly model?: string;
  readonly signal?: AbortSignal;
}

/**
 * Asks a server to identify itself: a cheap way to notice before a run that the server is down.
 *
 * @throws LmError `lm-unreachable`, `lm-not-found` (with the models offered) and similar
 */
export async function serverInfo({
  model,
  signal,
  stallTimeoutMs = 10_000,
  ...server
}: ServerInfoOptions): Promise<ServerInfo> {
  const connection = serverConnection({ ...server, stallTimeoutMs });
  const listed = await connection.models({ signal });
  const cards = readEnvelope(modelList, listed, connection.origin).data;
  const models = cards.map(({ id, parent, max_model_len: own }) => {
    // A LoRA adapter has the context of its base model, which alone states it.
    const base = cards.find((card) => card.id === parent);
    return { id, maxModelLength: own ?? base?.max_model_len ?? null };
  });
  if (model !== undefined && !models.some(({ id }) => id === model)) {
    throw new LmError({
      code: "lm-not-found",
      problem: `The server does not offer the model \`${model}\``,
      where: connection.origin.where,
      fix: `It offers ${offeredModels(models.map(({ id }) => id)) || "none"}.`,
    });
  }
  const root = server.baseUrl.replace(/\/v1\/?$/, "");
  const version = await ask(connection, `${root}/version`, signal);
  return {
    models,
    version: versionReply.safeParse(version).data?.version ?? null,
    isHealthy: await healthOf(connection, `${root}/health`, signal),
  };
}

const modelList = z.object({
  data: arrayOf(
    z.object({
      id: z.string(),
      parent: z.string().nullish(),
      max_model_len: z.int().nullish(),
    }),
  ),
});
const versionReply = z.object({ version: z.string() });

/** `undefined` for a missing route or an answer of another shape. */
async function ask(
  connection: ServerConnection,
  url: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  try {
    return await connection.get(url, { signal });
  } catch (error) {
    if (EspalierError.isInstance(error)) return undefined;
    throw error;
  }
}

async function healthOf(
  connection: ServerConnection,
  url: string,
  signal: AbortSignal | undefined,
): Promise<boolean | null> {
  try {
    await connection.get(url, { signal });
    return true;
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error;
    // A healthy vLLM server answers 200 with an empty body, which is not JSON.
    if (error.code === "lm-bad-envelope") return true;
    return error.code === "lm-not-found" ? null : false;
  }
}
