import type { LanguageModel, LmIdentity } from "../../contract/index.ts";
import { EspalierError, LmError, messageOf } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type {
  ReplicaChange,
  ServerExamination,
  ServerInfo,
  ServerInfoOptions,
  ServerList,
} from "../../lm/index.ts";
import { connect, keptExaminations, withLedger, serverInfo } from "../../lm/index.ts";
import type { Ledger, LedgerSnapshot } from "../../ledger/index.ts";
import { ledger } from "../../ledger/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { printToStderr } from "../terminal/terminal.ts";
import { localLm } from "./local-package.ts";
import { rehearsalPackage } from "./rehearsal-package.ts";
import type { ConnectSettings } from "./connect-settings.ts";
import { connectSettings } from "./connect-settings.ts";
import { atMostTokens, isListAddress, serverList } from "../../lm/files.ts";
import type { LmSource } from "./lm-source.ts";
import { onlyModel } from "../arguments/server-addresses.ts";
import type { Mock } from "../../mock/index.ts";
import { mocksAmong } from "../../mock/index.ts";

export interface LmChoice extends ConnectSettings {
  /** The command's option for the model's name. @default "--model NAME" */
  readonly modelOption?: string;
  /** A file path, or `none`. */
  readonly cache: string;
  /** Whether replies come from the cache alone. @default false */
  readonly "cache-only"?: boolean;
  readonly "max-completion-tokens"?: string | undefined;
}

export interface AnsweringLm extends LmIdentity {
  /** Several are separated by commas. Contains no credentials. */
  readonly url?: string;
}

export interface OpenedLm extends AsyncDisposable {
  readonly lm: LanguageModel;
  readonly concurrency: number;
  /** If there are any, every figure obtained with this LM is labelled. */
  readonly mocks: readonly Mock[];
  /** The server's description and known capabilities; `null` without a server. */
  readonly server: KnownServer | null;
  /** Those of now, for further requests; with the given credentials. Empty without a server. */
  readonly baseUrls: () => readonly string[];
  /** The server's key, if it has one. */
  readonly apiKey: string | undefined;
  /** Which LMs answered and what that cost, for the JSON line. */
  report(): {
    readonly lm: AnsweringLm;
    /** Absent if metrics used `lm`. */
    readonly judgeLm?: AnsweringLm;
    readonly isRehearsal: boolean;
    readonly ledger: LedgerSnapshot;
  };
}

export interface KnownServer extends ServerInfo {
  /** What `espalier doctor` found; absent if it never examined this server. */
  readonly examination?: ServerExamination;
  /** The number of servers; absent for a single one. */
  readonly replicas?: number;
}

/**
 * Opens an LM. Asks a server for its models first, so that a wrong URL or model fails before any
 * cost is incurred.
 *
 * @param modelOption how the model of this LM is named, for the error
 */
export async function openLm(
  source: LmSource,
  choice: LmChoice,
  modelOption: string | undefined = choice.modelOption,
): Promise<OpenedLm> {
  const cap = "max-completion-tokens";
  if (choice[cap] === undefined) return openUncapped(source, choice, modelOption);
  const most = wholeNumber(cap, choice[cap], 1);
  const open = await openUncapped(source, choice, modelOption);
  return { ...open, lm: atMostTokens(open.lm, most) };
}

async function openUncapped(
  source: LmSource,
  choice: LmChoice,
  modelOption: string | undefined,
): Promise<OpenedLm> {
  const settings = connectSettings(choice);
  const costs = ledger();
  if (choice["cache-only"] === true && (source.kind === "rehearsal" || choice.cache === "none")) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "--cache-only needs an LM whose replies are cached",
      expected: "an LM at a server, and --cache FILE",
    });
  }
  if (source.kind === "rehearsal") {
    const { rehearsalLm } = await rehearsalPackage();
    return opened(withLedger(rehearsalLm(), costs), costs, settings.concurrency);
  }
  if (source.kind === "local") {
    const { model } = source;
    const concurrency = Math.min(settings.concurrency, maxLocalCalls);
    const connection = await localLm({
      model,
      concurrency,
      ledger: costs,
      ...(choice.cache !== "none" && { cachePath: choice.cache }),
      isCacheOnly: choice["cache-only"] === true,
    });
    return {
      ...opened(connection, costs, concurrency),
      [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
    };
  }

  const { addresses, model, apiKey, concurrency = settings.concurrency } = source;
  const list = watchedList(addresses);
  const baseUrls = await list.read();
  const [baseUrl] = baseUrls;
  const server = apiKey === undefined ? {} : { apiKey };
  const isCacheOnly = choice["cache-only"] === true;
  const info = isCacheOnly
    ? null
    : await askServers(baseUrls, { ...server, ...(model !== undefined && { model }) });
  const chosen = model ?? (info === null ? noModel() : onlyModel(info, baseUrl, modelOption));
  const [examination] = keptExaminations({ baseUrls, model: chosen });
  const { host, pathname } = new URL(baseUrl);
  const isOne = baseUrls.length === 1 && !list.mayChange;
  const connection = connect({
    ...server,
    ...settings,
    baseUrls,
    ...(list.mayChange && { serverList: list }),
    replicas: { onChange: printChange },
    model: chosen,
    // The cache keys on the provider, so that two servers never share replies, even for models of
    // the same name. Naming several servers declares them interchangeable.
    provider: isOne ? `${provider} ${host}${pathname.replace(/(?<!\/)\/+$/, "")}` : provider,
    concurrency,
    ledger: costs,
    ...(choice.cache !== "none" && { cachePath: choice.cache }),
    isCacheOnly,
  });
  const known: KnownServer | null = info && {
    ...info,
    ...(examination && { examination }),
    ...(!isOne && { replicas: baseUrls.length }),
  };
  // Artifacts and journals name the model, not the machine that runs it.
  const shown: LanguageModel = {
    identity: { provider, model: chosen },
    doGenerate: (request, options) => connection.doGenerate(request, options),
  };
  const close = connection;
  return opened(shown, costs, concurrency, { addresses, list, apiKey, known, close });
}

/** An LM that a file brings along. */
export function openOwnLm(lm: LanguageModel, concurrency: string): OpenedLm {
  const costs = ledger();
  return opened(withLedger(lm, costs), costs, wholeNumber("concurrency", concurrency, 1));
}

const provider = "vllm";

/** More calls at a time in this process take memory and were not faster. */
const maxLocalCalls = 4;

function noModel(): never {
  throw new EspalierError({
    code: "usage-invalid",
    problem: "--cache-only does not ask servers for their models",
    expected: "the model's name: --model NAME, or #MODEL after the URL",
  });
}

function opened(
  lm: LanguageModel,
  costs: Ledger,
  concurrency: number,
  server?: {
    readonly addresses: readonly string[];
    readonly list: WatchedList;
    readonly apiKey: string | undefined;
    readonly known: KnownServer | null;
    readonly close: AsyncDisposable;
  },
): OpenedLm {
  const mocks = mocksAmong({ lm: lm.identity });
  const url = server?.addresses.map(withoutCredentials).join(",");
  return {
    lm,
    concurrency,
    mocks,
    server: server?.known ?? null,
    baseUrls: () => server?.list.now() ?? [],
    apiKey: server?.apiKey,
    report: () => ({
      lm: { ...lm.identity, ...(url !== undefined && { url }) },
      isRehearsal: mocks.length > 0,
      ledger: costs.snapshot(),
    }),
    [Symbol.asyncDispose]: async () => server?.close[Symbol.asyncDispose](),
  };
}

/**
 * Describes the first server that responds. One of several may be down: standard error names it. A
 * server that responds but is not what the user asked for fails the command.
 *
 * @throws LmError the last one, if no server responds
 */
async function askServers(
  baseUrls: readonly [string, ...string[]],
  options: Omit<ServerInfoOptions, "baseUrl">,
): Promise<ServerInfo> {
  const answers = await Promise.allSettled(
    baseUrls.map((baseUrl) => serverInfo({ ...options, baseUrl })),
  );
  const found: ServerInfo[] = [];
  let fault: unknown;
  for (const [index, answer] of answers.entries()) {
    if (answer.status === "fulfilled") found.push(answer.value);
    else {
      fault = answer.reason;
      if (!LmError.isInstance(fault) || !fault.isRetryable) throw fault;
      if (baseUrls.length > 1) {
        printToStderr(`${withoutCredentials(baseUrls[index] ?? "")} is not responding.`);
      }
    }
  }
  const [first] = found;
  if (first === undefined) throw fault;
  return first;
}

/** A list of servers that remembers who they were last. */
interface WatchedList extends ServerList {
  /** Whether it is to be read again. */
  readonly mayChange: boolean;
  now(): readonly string[];
}

/** Says on standard error, once for each reason, that the list cannot be read again. */
function watchedList(addresses: readonly string[]): WatchedList {
  const list = serverList(addresses);
  let last: readonly string[] = [];
  let announced: string | undefined;
  return {
    mayChange: addresses.some(isListAddress),
    now: () => last,
    read: async () => {
      try {
        const urls = await list.read();
        last = urls;
        announced = undefined;
        return urls;
      } catch (error) {
        const reason = messageOf(error);
        if (last.length > 0 && reason !== announced) {
          printToStderr(`Keeping the current servers: ${reason}`);
        }
        announced = reason;
        throw error;
      }
    },
  };
}

/** Says on standard error who joins, leaves, or cannot be used, and why. */
function printChange({ name, what, fault }: ReplicaChange): void {
  const server = withoutCredentials(name);
  if (what === "refused") {
    const reason = fault === undefined ? "It reports that it is not healthy." : messageOf(fault);
    printToStderr(`${server} cannot join: ${reason}`);
  } else if (what === "joined") printToStderr(`${server} joined.`);
  else if (what === "leaving") printToStderr(`${server} is leaving: it gets no new calls.`);
  else printToStderr(`${server} left.`);
}
