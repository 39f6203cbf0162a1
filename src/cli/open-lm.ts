import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { LanguageModel, LmIdentity } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { Ledger, LedgerSnapshot, ServerInfo } from "../lm/index.ts";
import { connect, ledger, ledgered, serverInfo } from "../lm/index.ts";
import { rehearsalLm } from "../rehearsal/index.ts";
import { wholeNumber } from "./arguments.ts";
import { rehearsalWarning } from "./rehearsal-warning.ts";

export interface LmChoice {
  /** URL, or `rehearsal`. */
  readonly lm: string;
  readonly model?: string | undefined;
  readonly concurrency: string;
  readonly attempts: string;
  /** In seconds. */
  readonly "stall-timeout": string;
  /** File, or `none`. */
  readonly cache: string;
}

export interface AnsweringLm extends LmIdentity {
  readonly url?: string;
}

export interface OpenedLm extends AsyncDisposable {
  readonly lm: LanguageModel;
  readonly concurrency: number;
  readonly isRehearsal: boolean;
  /** What every figure obtained with it must be shown with; empty for a real model. */
  readonly warning: string;
  /** What the server said of itself; `null` without a server. */
  readonly server: ServerInfo | null;
  /** Who answered and what it cost, for the JSON line. */
  report(): {
    readonly lm: AnsweringLm;
    /** Absent where metrics asked the same. */
    readonly judgeLm?: AnsweringLm;
    readonly isRehearsal: boolean;
    readonly ledger: LedgerSnapshot;
  };
}

/**
 * Opens the LM that the command line names, and asks a server for its models first, so that a wrong
 * URL or model is known before anything is spent.
 */
export async function openLm(choice: LmChoice): Promise<OpenedLm> {
  const { lm, model, cache } = choice;
  const slots = wholeNumber("concurrency", choice.concurrency, 1);
  const attempts = wholeNumber("attempts", choice.attempts, 1);
  const stallTimeoutMs = 1000 * wholeNumber("stall-timeout", choice["stall-timeout"], 1);
  const costs = ledger();
  if (lm === "rehearsal") return opened(ledgered(rehearsalLm(), costs), costs, slots);

  const baseUrl = checkedUrl(lm);
  // The key is read here, at the edge, and nowhere else.
  const apiKey = process.env["ESPALIER_API_KEY"];
  const server = { baseUrl, ...(apiKey === undefined ? {} : { apiKey }) };
  const info = await serverInfo({ ...server, ...(model === undefined ? {} : { model }) });
  const cachePath = cache === "none" ? undefined : cache;
  if (cachePath !== undefined) await mkdir(dirname(cachePath), { recursive: true });
  const chosen = model ?? onlyModel(info, baseUrl);
  const { host, pathname } = new URL(baseUrl);
  const connection = connect({
    ...server,
    model: chosen,
    // Replies of one server are not another's, even for a model of the same name: the cache goes by this.
    provider: `${provider} ${host}${pathname.replace(/\/+$/, "")}`,
    concurrency: slots,
    stallTimeoutMs,
    retry: { attempts },
    ledger: costs,
    ...(cachePath === undefined ? {} : { cachePath }),
  });
  // Artifacts and journals name the model and not the machine it runs on.
  const shown: LanguageModel = {
    identity: { provider, model: chosen },
    doGenerate: (request, options) => connection.doGenerate(request, options),
  };
  return opened(shown, costs, slots, { url: baseUrl, info, close: connection });
}

const provider = "vllm";

function opened(
  lm: LanguageModel,
  costs: Ledger,
  concurrency: number,
  server?: { readonly url: string; readonly info: ServerInfo; readonly close: AsyncDisposable },
): OpenedLm {
  const warning = rehearsalWarning(lm.identity);
  const isRehearsal = warning !== "";
  return {
    lm,
    concurrency,
    isRehearsal,
    warning,
    server: server?.info ?? null,
    report: () => ({
      lm: { ...lm.identity, ...(server === undefined ? {} : { url: server.url }) },
      isRehearsal,
      ledger: costs.snapshot(),
    }),
    [Symbol.asyncDispose]: async () => server?.close[Symbol.asyncDispose](),
  };
}

function checkedUrl(given: string): string {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "--lm cannot take this value",
    expected: "`rehearsal`, or a base URL such as http://127.0.0.1:8000/v1",
    got: `"${given}"`,
  });
}

function onlyModel({ models }: ServerInfo, url: string): string {
  const [first, ...others] = models;
  if (first !== undefined && others.length === 0) return first.id;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "The server has more than one model, or none",
    where: url,
    expected: "--model NAME",
    got: models.map(({ id }) => id).join(", ") || "no models",
  });
}
