import type { Artifact, Registry, TrustedKey } from "../artifact/index.ts";
import type { LanguageModel } from "../contract/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { FeedbackStore } from "./feedback/open-feedback.ts";
import type { ApiKeys } from "./keys/api-keys.ts";
import type { KeyLimits } from "./keys/key-limits.ts";
import type { Check } from "./http/readiness.ts";
import type { ProtocolAdapter } from "./protocol/protocol-adapter.ts";
import type { KeyUsage } from "./keys/key-usage.ts";
import type { ServeState } from "./state/open-serve-state.ts";
import type { CanarySettings } from "./canary/canaries.ts";
import type { Serving } from "./model/serving.ts";

export interface ChatServerOptions {
  readonly serving: Serving;
  /** For models without one of their own. */
  readonly lm: LanguageModel;
  /** Makes sure that the LM's server answers, for `/ready`. @default not looked at */
  readonly checkLm?: Check;
  /** Versions of the models' programs. @default the programs as they are declared */
  readonly registry?: Registry;
  /**
   * Strict mode: serves no version that none of these signed. What the state kept stands in for
   * none then, since a signature is not kept with it. @default signatures are not looked at
   */
  readonly trustedKeys?: readonly TrustedKey[];
  /**
   * Throws for what must not be served; also asked about what the state kept.
   * @default every artifact will do
   */
  readonly checkArtifact?: (artifact: Artifact) => void;
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** 0: any that is free. @default 0 */
  readonly port?: number;
  /** @default anybody may ask */
  readonly keys?: ApiKeys;
  /**
   * Of each key for which `keys` says nothing else: whole numbers from 1, or `null`.
   * @default none
   */
  readonly keyLimits?: KeyLimits;
  /** Counts the tokens of each key; not closed here. @default in this process alone */
  readonly keyUsage?: KeyUsage;
  /** Web pages that may ask, as `https://chat.example`; `*` for all. @default none */
  readonly origins?: readonly string[];
  /**
   * Names besides its address that requests may be made under, as `chat.example`. Where there are
   * some, or no keys on an address that only this machine can reach, none but `/health` and
   * `/ready` is answered under another.
   * @default none
   */
  readonly hosts?: readonly string[];
  /** Protocols besides OpenAI's. @default none */
  readonly faces?: readonly ProtocolAdapter[];
  /**
   * The file that keeps answers and what people think of them, on a thread; not closed here.
   * @default nothing is kept
   */
  readonly feedback?: FeedbackStore;
  /**
   * Tries the registry's candidates on a part of the traffic, with a `state`.
   * @default they are asked for by name alone
   */
  readonly rollout?: CanarySettings;
  /** Keeps rollouts and what was last served; not closed here. @default nothing is kept */
  readonly state?: ServeState;
  /** Questions answered at a time; a whole number of at least 1. @default 16 */
  readonly concurrency?: number;
  /** Questions that wait for their turn; with 0 none waits. @default 64 */
  readonly queue?: number;
  /** From the request to the whole answer, waiting included; at least 1. @default 600,000 */
  readonly deadlineMs?: number;
  /** Of a body; at least 1. @default 1 MiB */
  readonly maxBytes?: number;
  /** Of one request, those that no program reads included; at least 1. @default 1,000 */
  readonly maxMessages?: number;
  /**
   * Characters (UTF-16 code units) of a question, a turn of its history, and any other text that a
   * program is given; a field's own `max` goes before it. At least 1. @default 32,768
   */
  readonly maxInput?: number;
  /** Of JSON; at least 1. @default 32 */
  readonly maxDepth?: number;
  /** In the JSON of a body, at any depth; at least 1. @default 20,000 */
  readonly maxValues?: number;
  /**
   * Within which a whole request, headers and body, has to come; a whole number of at least 1.
   * @default 30,000
   */
  readonly requestTimeoutMs?: number;
  /** Silence of a stream after which a comment is sent; at least 1. @default 15,000 */
  readonly keepAliveMs?: number;
  /** How long a shutdown waits for answers in the making; with 0 it does not. @default 30,000 */
  readonly drainMs?: number;
  /** Counts what is asked of LMs. @default a new one */
  readonly ledger?: Ledger;
  /** Takes one line of the log. @default nothing is written */
  readonly log?: (line: string) => void;
  /** Texts that must not get into the log, as the key of the LM's server. @default none */
  readonly secrets?: readonly string[];
  /**
   * Puts lighter classes in the place of the global `Request` and `Response`, as hono's `serve`
   * does, which saves a good part of the time of a request. For processes that do nothing but
   * serve. @default false
   */
  readonly hasLightGlobals?: boolean;
}
