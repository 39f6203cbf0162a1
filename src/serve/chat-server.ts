import { randomUUID } from "node:crypto";
import type { Registry, TrustedKey } from "../artifact/index.ts";
import type { LanguageModel } from "../contract/index.ts";
import { messageOf } from "../errors/index.ts";
import { systemClock } from "../internal/index.ts";
import { ledger as newLedger, ledgered } from "../lm/index.ts";
import type { Ledger } from "../lm/index.ts";
import type { FeedbackStore } from "./feedback/open-feedback.ts";
import { serverFeedback } from "./feedback/server-feedback.ts";
import type { ApiKeys } from "./http/api-keys.ts";
import { asker } from "./http/asker.ts";
import { chatApp } from "./http/chat-app.ts";
import { drained } from "./http/drained.ts";
import { hostGuard } from "./http/host-guard.ts";
import { httpServer } from "./http/http-server.ts";
import type { KeyLimits } from "./http/key-limits.ts";
import { listen } from "./http/listen.ts";
import { openDoor } from "./http/open-door.ts";
import { observedAsk } from "./http/observed-ask.ts";
import type { Check } from "./http/readiness.ts";
import { readiness } from "./http/readiness.ts";
import { readJson } from "./http/read-json.ts";
import type { Face, ServeContext } from "./http/serve-context.ts";
import { shownRoutes } from "./http/shown-routes.ts";
import { serverLog } from "./http/server-log.ts";
import { serverMetrics } from "./http/server-metrics.ts";
import { defaultMaxInput } from "./input-too-long.ts";
import type { ListedModel } from "./model-table.ts";
import { modelTable } from "./model-table.ts";
import type { KeyUsage } from "./key-usage.ts";
import { openaiFace } from "./openai/openai-face.ts";
import { knownGood } from "./rollout/known-good.ts";
import type { ServeState } from "./rollout/open-serve-state.ts";
import { rolloutFace } from "./rollout/rollout-face.ts";
import type { RolloutReport } from "./rollout/rollout-report.ts";
import type { RolloutSettings } from "./rollout/rollouts.ts";
import { serverRollouts } from "./rollout/server-rollouts.ts";
import type { Serving } from "./serving.ts";

export interface ChatServerOptions {
  readonly serving: Serving;
  /** For models without one of their own. */
  readonly lm: LanguageModel;
  /** Makes sure that the LM's server answers, for `/ready`. @default not looked at */
  readonly checkLm?: Check;
  /** Versions of the models' programs. @default the programs as they are declared */
  readonly registry?: Registry;
  /**
   * Strict mode: serves no version that none of these signed. What the state kept stands in for none then,
   * since a signature is not kept with it. @default signatures are not looked at
   */
  readonly trustedKeys?: readonly TrustedKey[];
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** 0: any that is free. @default 0 */
  readonly port?: number;
  /** @default anybody may ask */
  readonly keys?: ApiKeys;
  /** Of each key for which `keys` says nothing else. @default none */
  readonly keyLimits?: KeyLimits;
  /** Counts the tokens of each key; not closed here. @default in this process alone */
  readonly keyUsage?: KeyUsage;
  /** Web pages that may ask, as `https://chat.example`; `*` for all. @default none */
  readonly origins?: readonly string[];
  /**
   * Names besides its address that requests may be made under, as `chat.example`. Where there are some, or
   * no keys on an address that only this machine can reach, none but `/health` and `/ready` is answered
   * under another.
   * @default none
   */
  readonly hosts?: readonly string[];
  /** Protocols besides OpenAI's. @default none */
  readonly faces?: readonly Face[];
  /** The file that keeps answers and what people think of them, on a thread; not closed here. @default nothing is kept */
  readonly feedback?: FeedbackStore;
  /** Tries the registry's candidates on a part of the traffic, with a `state`. @default they are asked for by name alone */
  readonly rollout?: RolloutSettings;
  /** Keeps rollouts and what was last served; not closed here. @default nothing is kept */
  readonly state?: ServeState;
  /** Questions answered at a time. @default 16 */
  readonly concurrency?: number;
  /** Questions that wait for their turn. @default 64 */
  readonly queue?: number;
  /** From the request to the whole answer, waiting included. @default 600,000 */
  readonly deadlineMs?: number;
  /** Of a body. @default 1 MiB */
  readonly maxBytes?: number;
  /** Of one request, those that no program reads included. @default 1,000 */
  readonly maxMessages?: number;
  /**
   * Characters (UTF-16 code units) of a question, a turn of its history, and any other text that a program is
   * given; a field's own `max` goes before it. @default 32,768
   */
  readonly maxInput?: number;
  /** Of JSON. @default 32 */
  readonly maxDepth?: number;
  /** In the JSON of a body, at any depth. @default 20,000 */
  readonly maxValues?: number;
  /** Within which a whole request, headers and body, has to come. @default 30,000 */
  readonly requestTimeoutMs?: number;
  /** Silence of a stream after which a comment is sent. @default 15,000 */
  readonly keepAliveMs?: number;
  /** How long a shutdown waits for answers in the making. @default 30,000 */
  readonly drainMs?: number;
  /** Counts what is asked of LMs. @default a new one */
  readonly ledger?: Ledger;
  /** Takes one line of the log. @default nothing is written */
  readonly log?: (line: string) => void;
  /** Texts that must not get into the log, as the key of the LM's server. @default none */
  readonly secrets?: readonly string[];
  /**
   * Puts lighter classes in the place of the global `Request` and `Response`, as hono's `serve` does, which
   * saves a good part of the time of a request. For processes that do nothing but serve. @default false
   */
  readonly hasLightGlobals?: boolean;
}

export interface ChatServer extends AsyncDisposable {
  readonly url: string;
  /** What clients can ask, as `POST /v1/chat/completions`; the files of a page apart. */
  readonly routes: readonly string[];
  /** Names of all models and versions. */
  models(): Promise<readonly ListedModel[]>;
  /** Candidates on trial now or before. */
  rollouts(): Promise<readonly RolloutReport[]>;
  /**
   * Takes no more questions, waits for the answers in the making as long as `drainMs` allows, and closes
   * the port; a second call stops at once.
   */
  stop(): Promise<void>;
}

/**
 * Serves chat models over HTTP.
 *
 * @throws EspalierError `option-invalid`, `artifact-drifted` and those of the registry, before the port is opened; Node's
 *   own error for a port that cannot be had
 */
export async function chatServer({
  serving,
  lm,
  checkLm,
  registry,
  trustedKeys,
  host = "127.0.0.1",
  port = 0,
  keys,
  keyLimits,
  keyUsage: usage,
  origins = [],
  hosts = [],
  faces = [],
  feedback,
  rollout,
  state,
  concurrency = 16,
  queue = 64,
  deadlineMs = 600_000,
  maxBytes = 1_048_576,
  maxMessages = 1_000,
  maxInput = defaultMaxInput,
  maxDepth = 32,
  maxValues = 20_000,
  requestTimeoutMs = 30_000,
  keepAliveMs = 15_000,
  drainMs = 30_000,
  ledger = newLedger(),
  log: write = () => undefined,
  secrets = [],
  hasLightGlobals = false,
}: ChatServerOptions): Promise<ChatServer> {
  const clock = systemClock;
  const stopping = new AbortController();
  const hurried = new AbortController();
  let isDraining = false;
  const now = (): Date => new Date();
  const log = serverLog({ write, secrets, now });
  const measured = (each: LanguageModel): LanguageModel => ledgered(each, ledger);
  const door = { keys, keyLimits, usage, slots: concurrency, queue, clock, now, log };
  const { gate, admission: admitted } = openDoor(door);
  const answering = measured(serving.lm ?? lm);
  const rolled =
    rollout &&
    serverRollouts({
      settings: rollout,
      registry,
      state,
      hasSeveralKeys: () => (keys?.names.length ?? 0) > 1,
      log,
      secrets,
      lm: answering,
      slots: Math.ceil(concurrency / 4),
      deadlineMs,
      clock,
      isBusy: () => isDraining || admitted.waiting > 0 || admitted.running >= concurrency,
    });
  const models = await modelTable({
    models: serving.models,
    registry,
    trustedKeys,
    measured,
    knownGood: registry && state && !trustedKeys ? knownGood(state, log) : undefined,
    trials: rolled?.trials,
    onFault: (id, error, { version }) =>
      log("version-unusable", {
        model: id,
        served: version,
        problem: messageOf(error),
      }),
  });
  const reports = async (): Promise<readonly RolloutReport[]> => {
    // Aliases may have moved since the last question.
    await models.list();
    return rolled?.reports() ?? [];
  };
  const kept = feedback && serverFeedback(feedback, { log, now });
  const metrics = serverMetrics(ledger, () => [
    ...(kept?.lines() ?? []),
    ...(rolled?.lines() ?? []),
    ...gate.lines(),
  ]);
  const ask = asker({
    lm: answering,
    lms: {},
    admission: admitted,
    deadlineMs,
    maxInput,
    now,
    isDraining: () => isDraining,
    stopping: stopping.signal,
  });
  const observed = observedAsk(ask, { metrics, log, clock });
  const recorded = kept?.around(observed) ?? observed;
  const context: ServeContext = {
    name: serving.name,
    models,
    ask: gate.around(rolled?.around(recorded) ?? recorded),
    log,
    keyNameOf: gate.nameOf,
    readJson: (request) =>
      readJson(request, { bytes: maxBytes, depth: maxDepth, values: maxValues }),
    newId: (prefix) => `${prefix}-${randomUUID().replaceAll("-", "")}`,
    now,
    maxMessages,
    keepAliveMs,
  };
  const guard = hostGuard({ host, hosts, hasKeys: keys !== undefined });
  const app = chatApp({
    faces: [
      openaiFace(),
      ...(kept ? [kept.face] : []),
      ...(rolled ? [rolloutFace(reports)] : []),
      ...faces,
    ],
    context,
    origins,
    checkHost: guard.check,
    metrics,
    admission: admitted,
    gate,
    ready: readiness({
      checks: { ...(checkLm && { lm: checkLm }), ...serving.checks },
      ...(kept && { told: kept.told }),
      timeoutMs: 5_000,
      clock,
    }),
    isDraining: () => isDraining,
  });
  const server = httpServer({
    fetch: app.fetch,
    requestTimeoutMs,
    hasLightGlobals,
    onRefused: ({ status, code }) => metrics.refused({ status, code }),
    onFault: (error) => log("error", { problem: messageOf(error) }),
  });
  const { address, url } = await listen(server, { host, port });
  const watching = gate.watch();
  kept?.prune();
  guard.listensTo(address);

  const stop = async (): Promise<void> => {
    if (isDraining) {
      stopping.abort();
      hurried.abort();
      server.closeAllConnections();
      return;
    }
    isDraining = true;
    const startedAt = clock.now();
    rolled?.[Symbol.dispose]();
    watching?.[Symbol.dispose]();
    await drained(server, { idle: () => admitted.idle(), drainMs, stopping, clock });
    await kept?.close(drainMs - (clock.now() - startedAt), hurried.signal);
  };
  return {
    url,
    routes: shownRoutes(app, faces),
    models: () => models.list(),
    rollouts: reports,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
