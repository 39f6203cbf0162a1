import type {
  ClientTools,
  Demonstration,
  JsonObject,
  LanguageModel,
  LmMessage,
  Sampling,
  Tool,
  ToolOutcome,
} from "../../contract/index.ts";
import type { Field, Signature } from "../../signature/index.ts";

/** Where the probabilities of a field's labels may come from; log-probabilities come first. */
export interface ProbabilitySource {
  /**
   * Whether to ask for log-probabilities. An LM that has none is asked again without, once for
   * each call; false spares that. @default true
   */
  readonly logprobs?: boolean;
  /**
   * Number outputs, by label, in which the model states how sure it is; they count where the reply
   * has no log-probabilities. Labels without one divide what the others leave of 1. @default none
   */
  readonly verbalized?: Readonly<Record<string, string>>;
}

/** By output field. */
export type ProbabilitySources = Readonly<Record<string, ProbabilitySource>>;

/** An agent's limits and tools, as runs and artifacts describe them. */
export interface AgentSettings {
  /** Requests in which it may ask for tools. */
  readonly maxSteps: number;
  readonly maxToolCalls: number;
  readonly calls: "native" | "json";
  /** By name: their versions, and the hashes of their parameters. */
  readonly tools: Readonly<
    Record<string, { readonly version: string; readonly parameters: string }>
  >;
  /** Whether who runs the program may bring tools of their own; absent: no. */
  readonly clientTools?: true;
}

export interface PredictorSettings {
  readonly sampling: Sampling;
  /** Asks a hybrid reasoning model to think, or not to; absent: the server's default. */
  readonly thinking?: boolean;
  /** How often an unusable reply is sent back with a description of its faults: 0 or 1. */
  readonly corrections: 0 | 1;
  /**
   * Keeps chat-template tokens, such as `<|im_end|>`, in inputs and demonstrations, where a server
   * may read them as tokens; absent: a space breaks each.
   */
  readonly keepsChatTokens?: true;
  /** What an agent may do, and with which tools; absent: the predictor is no agent. */
  readonly agent?: AgentSettings;
  /** Outputs whose probabilities are asked for, by field; absent: none. */
  readonly probabilities?: ProbabilitySources;
}

/** A predictor with its current texts: everything that a driver needs to make a prompt. */
export interface DriverBinding {
  readonly signature: Signature;
  readonly instruction: string;
  /** The signature's fields with their current descriptions. */
  readonly input: readonly Field[];
  readonly output: readonly Field[];
  readonly demos: readonly Demonstration[];
  /** By tool, and by tool and argument (`search.query`), where they differ from the tool's own. */
  readonly toolDescriptions: Readonly<Record<string, string>>;
  readonly settings: PredictorSettings;
}

/** Makes an agent's tool calls. */
export interface ToolCaller {
  /**
   * Rejects with `tool-not-allowed`, an exhausted budget, the abort reason or the fault of a tool's
   * server; what the tool itself throws is an outcome.
   */
  call(
    tool: Tool,
    input: JsonObject,
    at: {
      /** Distinguishes the calls of one agent, and does not depend on timing. */
      readonly place: string;
      /** Identifies everything that led to the call. */
      readonly before: string;
    },
  ): Promise<ToolOutcome>;
}

/** A driver's view of one predictor call. */
export interface DriverSession {
  /**
   * Records every request, and sets seed, role, signal and repetition regardless of the driver's
   * values.
   */
  readonly lm: LanguageModel;
  /**
   * The same LM, for replies that are not the outputs: who listens to outputs hears nothing of
   * them.
   */
  readonly unheard: LanguageModel;
  /** For agents; absent where a predictor is called without tools. */
  readonly tools?: ToolCaller;
  /** Fewer steps than an agent's own limit. @default that */
  readonly maxSteps?: number | undefined;
  /** The caller's tools, for an agent that takes them. @default none */
  readonly clientTools?: ClientTools | undefined;
}

export interface BoundDriver {
  doRender(inputs: JsonObject): readonly LmMessage[];
  /**
   * Returns values that pass the output fields' own checks. Rejects with a `FormatError` if the
   * model's text is unusable, and passes on the LM's own errors.
   */
  doPredict(inputs: JsonObject, session: DriverSession): Promise<JsonObject>;
}

/** How a predictor talks to its LM. All drivers pass one contract suite. */
export interface Driver {
  readonly name: string;
  /** The tools of an agent; absent: it is none. */
  readonly tools?: readonly Tool[];
  doBind(binding: DriverBinding): BoundDriver;
}
