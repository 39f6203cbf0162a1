import type { LanguageModel, LmIdentity } from "../../contract/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { ServerExamination, ServerInfo } from "../../lm/index.ts";
import type { Ledger, LedgerSnapshot } from "../../ledger/index.ts";
import { connect, keptExaminations, ledgered } from "../../lm/index.ts";
import { ledger } from "../../ledger/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { askServers } from "./ask-servers.ts";
import { rehearsalPackage } from "./rehearsal-package.ts";
import { checkedUrls, onlyModel, serverKey } from "../arguments/server-addresses.ts";
import type { StandIn } from "../../stand-in/index.ts";
import { standInsAmong } from "../../stand-in/index.ts";

export interface LmChoice {
  /** URLs between commas, or `rehearsal`. */
  readonly lm: string;
  readonly model?: string | undefined;
  readonly concurrency: string;
  readonly attempts: string;
  /** In seconds. */
  readonly "max-retry-after": string;
  /** In seconds. */
  readonly "stall-timeout": string;
  /** File, or `none`. */
  readonly cache: string;
}

export interface AnsweringLm extends LmIdentity {
  /** Several with commas between them; without user and password. */
  readonly url?: string;
}

export interface OpenedLm extends AsyncDisposable {
  readonly lm: LanguageModel;
  readonly concurrency: number;
  /** Every figure obtained with it is labelled if there are any. */
  readonly standIns: readonly StandIn[];
  /** What the server said of itself, and what it was found to do; `null` without a server. */
  readonly server: KnownServer | null;
  /** For further requests: with the user and password that were given. Empty without a server. */
  readonly baseUrls: readonly string[];
  /** Who answered and what it cost, for the JSON line. */
  report(): {
    readonly lm: AnsweringLm;
    /** Absent where metrics asked the same. */
    readonly judgeLm?: AnsweringLm;
    readonly isRehearsal: boolean;
    readonly ledger: LedgerSnapshot;
  };
}

export interface KnownServer extends ServerInfo {
  /** What `espalier doctor` found; absent where it was not asked. */
  readonly examination?: ServerExamination;
  /** How many servers were named; absent for one. */
  readonly replicas?: number;
}

/**
 * Opens the LM that the command line names, and asks a server for its models first, so that a wrong
 * URL or model is known before anything is spent.
 */
export async function openLm(choice: LmChoice): Promise<OpenedLm> {
  const { lm, model, cache } = choice;
  const slots = wholeNumber("concurrency", choice.concurrency, 1);
  const attempts = wholeNumber("attempts", choice.attempts, 1);
  const maxRetryAfterMs = 1000 * wholeNumber("max-retry-after", choice["max-retry-after"], 0);
  const stallTimeoutMs = 1000 * wholeNumber("stall-timeout", choice["stall-timeout"], 1);
  const costs = ledger();
  if (lm === "rehearsal") {
    const { rehearsalLm } = await rehearsalPackage();
    return opened(ledgered(rehearsalLm(), costs), costs, slots);
  }

  const baseUrls = checkedUrls(lm);
  const [baseUrl] = baseUrls;
  const server = serverKey();
  const info = await askServers(baseUrls, { ...server, ...(model !== undefined && { model }) });
  const cachePath = cache === "none" ? undefined : cache;
  const chosen = model ?? onlyModel(info, baseUrl);
  const [examination] = keptExaminations({ baseUrls, model: chosen });
  const { host, pathname } = new URL(baseUrl);
  const isOne = baseUrls.length === 1;
  const connection = connect({
    ...server,
    baseUrls,
    model: chosen,
    // Replies of one server are not another's, even for a model of the same name: the cache goes by
    // this. Whoever names several servers says that they answer alike, whichever they are.
    provider: isOne ? `${provider} ${host}${pathname.replace(/(?<!\/)\/+$/, "")}` : provider,
    concurrency: slots,
    stallTimeoutMs,
    retry: { attempts, maxRetryAfterMs },
    ledger: costs,
    ...(cachePath === undefined ? {} : { cachePath }),
  });
  const known: KnownServer = {
    ...info,
    ...(examination && { examination }),
    ...(!isOne && { replicas: baseUrls.length }),
  };
  // Artifacts and journals name the model and not the machine it runs on.
  const shown: LanguageModel = {
    identity: { provider, model: chosen },
    doGenerate: (request, options) => connection.doGenerate(request, options),
  };
  return opened(shown, costs, slots, { baseUrls, known, close: connection });
}

/** An LM that a file brings along. */
export function openOwnLm(lm: LanguageModel, concurrency: string): OpenedLm {
  const costs = ledger();
  return opened(ledgered(lm, costs), costs, wholeNumber("concurrency", concurrency, 1));
}

const provider = "vllm";

function opened(
  lm: LanguageModel,
  costs: Ledger,
  concurrency: number,
  server?: {
    readonly baseUrls: readonly string[];
    readonly known: KnownServer;
    readonly close: AsyncDisposable;
  },
): OpenedLm {
  const standIns = standInsAmong({ lm: lm.identity });
  const url = server?.baseUrls.map(withoutCredentials).join(",");
  return {
    lm,
    concurrency,
    standIns,
    server: server?.known ?? null,
    baseUrls: server?.baseUrls ?? [],
    report: () => ({
      lm: { ...lm.identity, ...(url !== undefined && { url }) },
      isRehearsal: standIns.length > 0,
      ledger: costs.snapshot(),
    }),
    [Symbol.asyncDispose]: async () => server?.close[Symbol.asyncDispose](),
  };
}
