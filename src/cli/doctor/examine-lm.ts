import { LmError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { ServerExamination, ServerInfo } from "../../lm/index.ts";
import {
  agentCalls,
  capabilityNames,
  examineServer,
  keepExamination,
  keptExamination,
  recommendedOptions,
  serverInfo,
} from "../../lm/index.ts";
import { onlyModel } from "../arguments/server-addresses.ts";
import { joinLines } from "../terminal/terminal.ts";

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

/**
 * Formats a server's capabilities: a table, then how requests will be sent, then what probing cost.
 */
export function examinationText(
  examination: ServerExamination,
  { path, nowMs }: { readonly path: string | undefined; readonly nowMs: number },
): string {
  const { baseUrl, model, version, maxModelLength, capabilities, spent } = examination;
  const states = { supported: "yes", unsupported: "no", unknown: "unknown" } as const;
  const rows = capabilityNames.map((name) => {
    const { state, evidence } = capabilities[name];
    return `${wordsOf(name).padEnd(19)} ${states[state].padEnd(8)} ${evidence}`;
  });
  const agents = agentCalls(examination);
  const others = examination.models.filter((id) => id !== model);
  return joinLines([
    `${model} at ${baseUrl}`,
    `version ${version ?? "unknown"}, context of ${maxModelLength ?? "unknown"} tokens` +
      (others.length === 0 ? "" : `, also offers ${others.join(", ")}`),
    "",
    ...rows,
    "",
    `Requests use the dialect \`${examination.dialect}\` and control thinking with ${thinkingText(examination)}.`,
    `Agents should ask for tools with \`calls: "${agents.calls}"\`: ${agents.reason}.`,
    ...recommendedText(examination),
    `Probed ${ageText(nowMs - Date.parse(examination.examinedAt))} with ${spent.calls} calls, ${spent.promptTokens} prompt and ${spent.completionTokens} completion tokens` +
      (path === undefined ? "; --fresh probes again." : `; stored in ${path}.`),
  ]);
}

function recommendedText(examination: ServerExamination): readonly string[] {
  const options = recommendedOptions(examination);
  if (options.length === 0) return [];
  return [
    "To get more from this server, start it with these options as well:",
    `  ${options.map(({ option }) => option).join(" ")}`,
    ...options.map(({ option, reason }) => `  without ${option.split(" ")[0]}: ${reason}`),
  ];
}

/** `contextOverflow` as "context overflow". */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function thinkingText({ thinkingTemplate, dialect }: ServerExamination): string {
  if (thinkingTemplate !== null) return `\`${thinkingTemplate}\``;
  return `the dialect's default key, \`${dialect === "vllm" ? "enableThinking" : "reasoningEffort"}\`, since the probes found no evidence`;
}

function ageText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 120) return `${minutes} minutes ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours ago` : `${Math.round(hours / 24)} days ago`;
}
