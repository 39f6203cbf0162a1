import { LmError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { ServerExamination, ServerInfo } from "../../lm/index.ts";
import { examineServer, keepExamination, keptExamination, serverInfo } from "../../lm/index.ts";
import { onlyModel } from "../arguments/server-addresses.ts";

export interface ExaminedLm {
  readonly examination: ServerExamination;
  /** Where it was stored; absent if it was not. */
  readonly path?: string;
}

/**
 * Examines an LM's server, unless what is known of it still holds, and keeps the findings.
 *
 * @throws LmError; EspalierError `usage-invalid` if no model is named and the server has several
 */
export async function examineLm(
  baseUrl: string,
  {
    model,
    apiKey,
    isKept,
    isFresh,
    signal,
  }: {
    readonly model: string | undefined;
    readonly apiKey?: string | undefined;
    readonly isKept: boolean;
    readonly isFresh: boolean;
    readonly signal: AbortSignal;
  },
): Promise<ExaminedLm> {
  const server = { baseUrl, ...(apiKey !== undefined && { apiKey }), signal };
  const info = await infoOf({ ...server, ...(model !== undefined && { model }) });
  const chosen = model ?? onlyModel(info, baseUrl);
  const known = isFresh || !isKept ? undefined : keptExamination({ baseUrl, model: chosen });
  if (known !== undefined && isStillTrue(known, info)) return { examination: known };
  const examination = await examineServer({
    ...server,
    model: chosen,
    info,
    examinedAt: new Date().toISOString(),
  });
  return isKept ? { examination, path: await keepExamination(examination) } : { examination };
}

/** A URL that responds, but not as an OpenAI-compatible server, counts as a server that is down. */
async function infoOf(options: Parameters<typeof serverInfo>[0]): Promise<ServerInfo> {
  try {
    return await serverInfo(options);
  } catch (error) {
    if (!LmError.isInstance(error) || error.code !== "lm-not-found" || error.status === undefined) {
      throw error;
    }
    throw new LmError({
      code: "lm-bad-envelope",
      problem: "The URL responds, but not as an OpenAI-compatible server",
      expected: "a list of models from `GET /models` below the base URL",
      got: `status ${error.status}`,
      where: withoutCredentials(options.baseUrl),
      fix: error.report.fix ?? "Correct the base URL; it usually ends with /v1.",
      cause: error,
    });
  }
}

/** A server restarted with another version or context length must be probed again. */
function isStillTrue(known: ServerExamination, { version, models }: ServerInfo): boolean {
  const length = models.find(({ id }) => id === known.model)?.maxModelLength ?? null;
  return known.version === version && known.maxModelLength === length;
}
