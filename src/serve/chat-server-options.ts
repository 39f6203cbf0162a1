import type { Artifact, Registry } from "../artifact/index.ts";
import type { LanguageModel } from "../contract/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { FeedbackStore } from "./feedback/open-feedback.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { Check } from "./http/readiness.ts";
import type { ProtocolAdapter } from "./protocol/protocol-adapter.ts";
import type { Mock } from "../mock/index.ts";
import type { ServeState } from "./state/open-serve-state.ts";
import type { CanarySettings } from "./canary/canary-settings.ts";
import type { Serving } from "./model/serving.ts";
import type { AnswerTracker } from "./answer-tracker.ts";
import { checkCount, checkMilliseconds } from "../internal/index.ts";
import { defaultMaxInput } from "./model/input-too-long.ts";

/** Options of a server, and of a handler that another server mounts. */
export interface HandlerOptions {
  readonly serving: Serving;
  /** The LM of models without one of their own. */
  readonly lm: LanguageModel;
  /** Parts besides LMs that mocks play; every answer says so. @default none */
  readonly mocks?: readonly Mock[];
  /** Checks for `/ready` that the LM's server answers. @default no check */
  readonly checkLm?: Check;
  /** Versions of the models' programs. @default the programs as declared */
  readonly registry?: Registry;
  /**
   * Throws if an artifact must not be served.
   * @default every artifact is accepted
   */
  readonly checkArtifact?: (artifact: Artifact) => void;
  /** @default anyone may ask */
  readonly keys?: ApiKeys;
  /**
   * Origins of web pages that may ask, for example `https://chat.example`; `*` for all.
   * @default none
   */
  readonly origins?: readonly string[];
  /** Protocols besides OpenAI's. @default none */
  readonly adapters?: readonly ProtocolAdapter[];
  /**
   * The file that keeps answers and ratings, written on a thread; the server does not close it.
   * @default nothing is kept
   */
  readonly feedback?: FeedbackStore;
  /**
   * Where answers are shown as traces, with ratings; no answer waits for them. @default nowhere
   */
  readonly trackers?: readonly AnswerTracker[];
  /** Share of answers that trackers get, in [0, 1]. @default 1 */
  readonly traceSample?: number;
  /**
   * Tries the registry's candidates on a part of the traffic; needs a `state`.
   * @default candidates answer only if named
   */
  readonly rollout?: CanarySettings;
  /**
   * Keeps rollouts; the server does not close it.
   * @default nothing is kept
   */
  readonly state?: ServeState;
  /** Maximum concurrent questions; a whole number of at least 1. @default 16 */
  readonly concurrency?: number;
  /** Maximum waiting questions; 0 allows none. @default 64 */
  readonly queue?: number;
  /** From the request to the whole answer, waiting included; at least 1. @default 600,000 */
  readonly deadlineMs?: number;
  /** Maximum size of a body; at least 1. @default 1 MiB, or 16 MiB if a model takes images */
  readonly maxBytes?: number;
  /**
   * Maximum characters (UTF-16 code units) of a question, a turn of its history, and any other text
   * that a program takes; a field's own `max` takes precedence. At least 1. @default 32,768
   */
  readonly maxInput?: number;
  /** How long a shutdown waits for unfinished answers; 0 does not wait. @default 30,000 */
  readonly drainMs?: number;
  /** Counts LM calls. @default a new one */
  readonly ledger?: Ledger;
  /** Takes one line of the log. @default nothing is written */
  readonly log?: (line: string) => void;
  /** Texts that must not get into the log, for example the key of the LM's server. @default none */
  readonly secrets?: readonly string[];
  /** The path below which another server mounts the handler, for example `/ai`. @default "" */
  readonly basePath?: string;
}

export interface ChatServerOptions extends Omit<HandlerOptions, "basePath"> {
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** 0 picks a free port. @default 0 */
  readonly port?: number;
  /**
   * Host names that requests may use besides the address, for example `chat.example`. With names
   * here, or without keys on an address that only this machine can reach, the server answers only
   * `/health` and `/ready` under other names.
   * @default none
   */
  readonly hosts?: readonly string[];
  /**
   * Time for a whole request to arrive, headers and body; a whole number of at least 1.
   * @default 30,000
   */
  readonly requestTimeoutMs?: number;
  /**
   * Replaces the global `Request` and `Response` with lighter classes, like hono's `serve`, which
   * saves a good part of the time of a request. For processes that only serve. @default false
   */
  readonly hasLightGlobals?: boolean;
}

const counts = [
  "concurrency",
  "maxBytes",
  "maxInput",
  // Node.js requires whole milliseconds here.
  "requestTimeoutMs",
] as const;

/** How much a server accepts, and how long it waits. */
type ServerLimits = Pick<
  ChatServerOptions,
  (typeof counts)[number] | "deadlineMs" | "queue" | "drainMs"
>;

/**
 * The limits of a server, checked before anything is opened: with 0 concurrent questions, each
 * would wait forever.
 *
 * @throws EspalierError `option-invalid`
 */
export function serverLimits({
  concurrency = 16,
  queue = 64,
  deadlineMs = 600_000,
  maxBytes = 1_048_576,
  maxInput = defaultMaxInput,
  requestTimeoutMs = 30_000,
  drainMs = 30_000,
}: ServerLimits): Required<ServerLimits> {
  const limits = {
    concurrency,
    queue,
    deadlineMs,
    maxBytes,
    maxInput,
    requestTimeoutMs,
    drainMs,
  };
  for (const name of counts) checkCount(name, limits[name]);
  checkCount("queue", queue, 0);
  checkMilliseconds("deadlineMs", deadlineMs, { least: 1 });
  checkMilliseconds("drainMs", drainMs);
  return limits;
}
