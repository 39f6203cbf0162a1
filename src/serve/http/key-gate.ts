import { failureOf, messageOf } from "../../errors/index.ts";
import type { KeyUsage } from "../key-usage.ts";
import type { Admission } from "./admission.ts";
import { ApiError } from "./api-error.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { Ask } from "./asker.ts";
import type { KeyQuotas } from "./key-quotas.ts";
import { counter, gaugeBy } from "./prometheus.ts";
import type { ServerLog } from "./server-log.ts";

/** Who is let in, and how much each key may ask. */
export interface KeyGate {
  /**
   * The name of the key of a request, which is looked for once; `undefined` on a server without keys.
   *
   * @throws ApiError 401
   */
  readonly nameOf: (request: Request) => string | undefined;
  /**
   * Counts a request, and has the client told what is left.
   *
   * @throws ApiError 429
   */
  count(key: string, tell: (header: string, value: string) => void): void;
  /** Lets nobody ask who has no tokens left, and counts those that answers use. */
  around(ask: Ask): Ask;
  /** By name, what does not work and costs no answer: for `/ready`. */
  readonly faults: Readonly<Record<string, string>>;
  /** In Prometheus' text format. */
  lines(): readonly string[];
  /** Heeds changes of keys until disposed of. */
  watch(): Disposable | undefined;
}

export function keyGate({
  keys,
  quotas,
  usage,
  admission,
  log,
}: {
  readonly keys: ApiKeys | undefined;
  readonly quotas: KeyQuotas;
  readonly usage: KeyUsage;
  readonly admission: Admission;
  readonly log: ServerLog;
}): KeyGate {
  const names = new WeakMap<Request, string>();
  const refusals = counter({
    name: "espalier_key_refused_requests_total",
    help: "Requests beyond what their key, or the server, had room for, by key and code.",
  });
  let fault: string | null = null;
  let unwritten: string | null = null;
  const spend = (key: string, tokens: number): void => {
    quotas.spend(key, tokens);
    const { problem = null } = usage;
    if (problem !== null && problem !== unwritten) log("key-usage-unwritten", { problem });
    unwritten = problem;
  };
  /** Counts what a key is refused for asking too much. */
  const counted = <TResult>(key: string, work: () => TResult): TResult => {
    try {
      return work();
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) {
        refusals.add({ key, code: error.code });
      }
      throw error;
    }
  };
  return {
    nameOf: (request) => {
      if (keys === undefined) return undefined;
      const known = names.get(request);
      if (known !== undefined) return known;
      const name = keys.nameOf(request.headers.get("authorization") ?? undefined);
      names.set(request, name);
      return name;
    },
    count: (key, tell) =>
      counted(key, () => {
        try {
          quotas.takeRequest(key);
        } finally {
          for (const [header, value] of Object.entries(quotas.headersOf(key))) tell(header, value);
        }
      }),
    around: (ask) => (request) => {
      const { apiKey: key } = request;
      if (key === undefined) return ask(request);
      return counted(key, () => {
        quotas.checkTokens(key);
        return ask(request).then((asked) => {
          const { promptTokens = 0, completionTokens = 0 } = asked.outcome?.usage ?? {};
          spend(key, promptTokens + completionTokens);
          return asked;
        });
      });
    },
    get faults() {
      return {
        ...(fault !== null && { keys: fault }),
        ...((usage.problem ?? null) !== null && { "key-usage": "unwritten" }),
      };
    },
    lines: () => {
      if (keys === undefined) return [];
      const values = keys.names.map((key) => ({ labels: { key }, value: quotas.tokensToday(key) }));
      const family = { name: "espalier_key_tokens_today", help: "Tokens used since 0:00 UTC." };
      return [...refusals.lines(), ...gaugeBy(family, values)];
    },
    watch: () =>
      keys?.watch?.({
        onChanged: ({ revoked }) => {
          fault = null;
          log("keys-changed", { keys: keys.names.length, revoked: [...revoked] });
          admission.onKeysChanged(revoked);
        },
        onFault: (error) => {
          fault = failureOf(error).code;
          log("keys-unusable", { problem: messageOf(error) });
        },
      }),
  };
}
