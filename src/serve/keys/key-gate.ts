import { failureOf, messageOf } from "../../errors/index.ts";
import type { KeyUsage } from "./key-usage.ts";
import type { Admission } from "../answer/admission.ts";
import { ApiError } from "../api-error/api-error.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { AnswerQuestion } from "../answer/answer-question.ts";
import { admittedBy } from "../answer/answer-question.ts";
import type { KeyQuotas } from "./key-quotas.ts";
import { counter, gaugeBy } from "../../internal/index.ts";
import type { ServerLog } from "../telemetry/server-log.ts";

/** Admits requests by key, within the limits of each key. */
export interface KeyGate {
  /**
   * The name of the key of a request; `undefined` on a server without keys. Checks again at each
   * call, since a key may be revoked while a body is on its way.
   *
   * @throws ApiError 401
   */
  readonly nameOf: (request: Request) => string | undefined;
  /**
   * Counts a request, and calls `setHeader` with the headers that show what is left.
   *
   * @throws ApiError 429
   */
  count(key: string, setHeader: (header: string, value: string) => void): void;
  /** Refuses questions of a key without tokens left, and counts the tokens that answers use. */
  around(answer: AnswerQuestion): AnswerQuestion;
  /** Fields of `/ready`, none of which makes the server unready; empty on a server without keys. */
  readonly informational: Readonly<Record<string, () => string>>;
  /** In Prometheus' text format. */
  lines(): readonly string[];
  /** Applies changes of keys, and logs whether usage can be stored, until disposed of. */
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
  const refusals = counter({
    name: "espalier_key_refused_requests_total",
    help: "Requests rejected by a limit of their key or of the server, by key and code.",
  });
  let fault: string | null = null;
  let thrown: string | null = null;
  let logged: string | null = null;
  const usageProblem = (): string | null => usage.problem ?? thrown;
  const logUsage = (): void => {
    const problem = usageProblem();
    if (problem === logged) return;
    logged = problem;
    if (problem === null) log("key-usage-written", {});
    else log("key-usage-unwritten", { problem });
  };
  /** Never throws: an answer must not depend on its count. */
  const spend = (key: string, tokens: number): void => {
    try {
      quotas.spend(key, tokens);
      thrown = null;
    } catch (error) {
      thrown = messageOf(error);
    }
  };
  const countRefusal = (key: string, error: unknown): void => {
    if (!(error instanceof ApiError) || error.status !== 429) return;
    refusals.add({ key, code: error.code });
  };
  return {
    nameOf: (request) => keys?.nameOf(request.headers.get("authorization") ?? undefined),
    count: (key, setHeader) => {
      try {
        quotas.takeRequest(key);
      } catch (error) {
        countRefusal(key, error);
        throw error;
      } finally {
        for (const [header, value] of Object.entries(quotas.headersOf(key)))
          setHeader(header, value);
      }
    },
    around: (answer) => (question) => {
      const { apiKey: key } = question;
      if (key === undefined) return answer(question);
      const start = admittedBy(() => {
        quotas.checkTokens(key);
        return answer({ ...question, onSpent: (tokens) => spend(key, tokens) });
      });
      if (start.state === "refused") countRefusal(key, start.error);
      return start;
    },
    informational:
      keys === undefined
        ? {}
        : {
            keys: () => fault ?? "ok",
            "key-usage": () => (usageProblem() === null ? "ok" : "serve-state-unusable"),
          },
    lines: () => {
      if (keys === undefined) return [];
      const values = keys.names.map((key) => ({ labels: { key }, value: quotas.tokensToday(key) }));
      const family = {
        name: "espalier_key_tokens_today",
        help: "Tokens used since 00:00 UTC, by key.",
      };
      return [...refusals.lines(), ...gaugeBy(family, values)];
    },
    watch: () => {
      if (keys === undefined) return undefined;
      const watching = keys.watch?.({
        onChanged: ({ revoked }) => {
          fault = null;
          log("keys-changed", { keys: keys.names.length, revoked: [...revoked] });
          admission.onKeysChanged(revoked);
        },
        onFault: (error) => {
          fault = failureOf(error).code;
          log("keys-unusable", { problem: messageOf(error) });
        },
      });
      const looking = setInterval(logUsage, usageLooksEveryMs).unref();
      return {
        [Symbol.dispose]: () => {
          clearInterval(looking);
          watching?.[Symbol.dispose]();
        },
      };
    },
  };
}

const usageLooksEveryMs = 500;
