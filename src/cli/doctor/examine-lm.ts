import { LmError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { CapabilityName, Finding, ServerExamination, ServerInfo } from "../../lm/index.ts";
import {
  agentCalls,
  capabilityNames,
  examineServer,
  keepExamination,
  keptExamination,
  recommendedOptions,
  serverInfo,
} from "../../lm/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { onlyModel } from "../arguments/server-addresses.ts";
import { joinLines } from "../terminal/terminal.ts";

/** For every command that examines LMs. */
export const stallArgument = {
  "stall-timeout": {
    type: "string",
    description:
      "Longest silence from a server during a request, in seconds; defaults to 60, or 10 for requests that only identify it",
    valueHint: "S",
  },
} as const;

/** @throws EspalierError `usage-invalid` for what is no number of seconds */
export function stallTimeoutMs(seconds: string | undefined): number | undefined {
  return seconds === undefined ? undefined : 1_000 * wholeNumber("stall-timeout", seconds, 1);
}

/**
 * Examines an LM's server, unless what is known of it still holds, and keeps the findings.
 *
 * @param options.show takes what there is to show, each finding as soon as it is known
 * @throws LmError; EspalierError `usage-invalid` if no model is named and the server has several
 */
export async function examineLm(
  baseUrl: string,
  {
    model,
    apiKey,
    isKept,
    isFresh,
    stallTimeoutMs,
    signal,
    show,
  }: {
    readonly model: string | undefined;
    readonly apiKey?: string | undefined;
    readonly isKept: boolean;
    readonly isFresh: boolean;
    readonly stallTimeoutMs: number | undefined;
    readonly signal: AbortSignal;
    readonly show: (text: string) => void;
  },
): Promise<ServerExamination> {
  const server = {
    baseUrl,
    ...(apiKey !== undefined && { apiKey }),
    ...(stallTimeoutMs !== undefined && { stallTimeoutMs }),
    signal,
  };
  try {
    const info = await infoOf({ ...server, ...(model !== undefined && { model }) });
    const chosen = model ?? onlyModel(info, baseUrl);
    const known = isFresh || !isKept ? undefined : keptExamination({ baseUrl, model: chosen });
    const holds = known !== undefined && isStillTrue(known, info) ? known : undefined;
    show(headText(withoutCredentials(baseUrl), chosen, info));
    if (holds !== undefined) {
      show(joinLines(capabilityNames.map((name) => rowText(name, holds.capabilities[name]))));
      show(conclusionText(holds, { ageMs: Date.now() - Date.parse(holds.examinedAt) }));
      return holds;
    }
    const examination = await examineServer({
      ...server,
      model: chosen,
      info,
      onFinding: (name, found) => show(rowText(name, found)),
      examinedAt: new Date().toISOString(),
    });
    const path = isKept ? await keepExamination(examination) : undefined;
    show(conclusionText(examination, { ageMs: 0, path }));
    return examination;
  } catch (error) {
    throw withOption(error);
  }
}

/** Names the option where a server was silent for too long. */
function withOption(error: unknown): unknown {
  if (!LmError.isInstance(error) || error.code !== "lm-stalled") return error;
  const { problem, where } = error.report;
  return new LmError({
    code: error.code,
    problem,
    ...(where !== undefined && { where }),
    fix: "Check the server's load, or raise --stall-timeout.",
    cause: error,
  });
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

function headText(baseUrl: string, model: string, { version, models }: ServerInfo): string {
  const length = models.find(({ id }) => id === model)?.maxModelLength;
  const others = models.map(({ id }) => id).filter((id) => id !== model);
  return joinLines([
    `${model} at ${baseUrl}`,
    `version ${version ?? "unknown"}, context of ${length ?? "unknown"} tokens` +
      (others.length === 0 ? "" : `, also offers ${others.join(", ")}`),
    "",
  ]);
}

function rowText(name: CapabilityName, { state, evidence, limit }: Finding): string {
  const states = { supported: "yes", unsupported: "no", unknown: "unknown" } as const;
  const shown = limit === "model" ? "model" : states[state];
  return joinLines([`${wordsOf(name).padEnd(19)} ${shown.padEnd(8)} ${evidence}`]);
}

/** What the rows mean, how requests will be sent, and what probing cost. */
function conclusionText(
  examination: ServerExamination,
  { ageMs, path }: { readonly ageMs: number; readonly path?: string | undefined },
): string {
  const { spent } = examination;
  const agents = agentCalls(examination);
  return joinLines([
    "",
    ...limitsText(Object.values(examination.capabilities)),
    `Requests use the dialect \`${examination.dialect}\` and control thinking with ${thinkingText(examination)}.`,
    `Agents should ask for tools with \`calls: "${agents.calls}"\`: ${agents.reason}.`,
    ...recommendedText(examination),
    `Probed ${ageText(ageMs)} with ${spent.calls} calls, ${spent.promptTokens} prompt and ${spent.completionTokens} completion tokens` +
      (path === undefined ? "; --fresh probes again." : `; stored in ${path}.`),
  ]);
}

function limitsText(findings: readonly Finding[]): readonly string[] {
  const count = (limit: Finding["limit"]): number =>
    findings.filter((found) => found.limit === limit).length;
  const late = count("time");
  return [
    ...(count("model") === 0
      ? []
      : ["`model`: the server accepted the request, but this model did not comply; another may."]),
    ...(late === 0
      ? []
      : [`Not checked in time: ${late}. To try again, use --fresh with a longer --stall-timeout.`]),
  ];
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
