import { defineCommand } from "citty";
import { LmError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { ServerExamination, ServerInfo } from "../../lm/index.ts";
import { examineServer, keepExamination, keptExamination, serverInfo } from "../../lm/index.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { examinationText } from "./examination-text.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { checkedUrls, onlyModel, serverKey } from "../arguments/server-addresses.ts";
import { rehearsalPackage } from "../lm/rehearsal-package.ts";
import { print } from "../terminal/terminal.ts";

const args = {
  lm: {
    type: "string",
    description: "Base URLs of OpenAI-compatible servers, separated by commas, or `rehearsal`",
    valueHint: "URL",
    required: true,
  },
  model: {
    type: "string",
    description: "Model to probe; optional if the server offers only one",
    valueHint: "NAME",
  },
  fresh: { type: "boolean", description: "Ignore stored results and probe again", default: false },
  json: { type: "boolean", description: "Print one line of JSON", default: false },
} as const;

/** `espalier doctor`: probes what a server supports and stores the result for later connections. */
export const doctorSubcommand: AnyCommand = defineCommand({
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    using interrupt = abortOnInterrupt();
    await using embedded = given.lm === "rehearsal" ? await embeddedServer() : undefined;
    const urls = embedded === undefined ? checkedUrls(given.lm) : [`${embedded.url}/v1`];
    const all: ServerExamination[] = [];
    for (const baseUrl of urls) {
      const { examination, path } = await examined(baseUrl, {
        model: given.model,
        // Another server may use the embedded server's port tomorrow.
        isKept: embedded === undefined,
        isFresh: given.fresh,
        signal: interrupt.signal,
      });
      all.push(examination);
      if (!given.json) print(examinationText(examination, { path, nowMs: Date.now() }));
    }
    if (given.json) print(JSON.stringify(urls.length === 1 ? all[0] : all));
  },
});

async function embeddedServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const { serveRehearsal } = await rehearsalPackage();
  return serveRehearsal();
}

interface Examined {
  readonly examination: ServerExamination;
  /** Where it was stored; absent if it was not. */
  readonly path?: string;
}

async function examined(
  baseUrl: string,
  {
    model,
    isKept,
    isFresh,
    signal,
  }: {
    readonly model: string | undefined;
    readonly isKept: boolean;
    readonly isFresh: boolean;
    readonly signal: AbortSignal;
  },
): Promise<Examined> {
  const server = { baseUrl, ...serverKey(), signal };
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
