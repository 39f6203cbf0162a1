import type {
  Demonstration,
  JsonObject,
  LanguageModel,
  LmMessage,
  PromptLayout,
  Sampling,
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
  /** The prompt layout: the current one, unless an artifact was compiled with an earlier one. */
  readonly layout: PromptLayout;
  readonly settings: PredictorSettings;
}

/** A driver's view of one predictor call. */
export interface DriverSession {
  /**
   * Records every request, and sets seed, role, signal and repetition regardless of the driver's
   * values.
   */
  readonly lm: LanguageModel;
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
  doBind(binding: DriverBinding): BoundDriver;
}
