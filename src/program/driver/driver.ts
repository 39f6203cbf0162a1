import type {
  Demonstration,
  JsonObject,
  LanguageModel,
  LmMessage,
  PromptLayout,
  Sampling,
} from "../../contract/index.ts";
import type { Field, Signature } from "../../signature/index.ts";

export interface PredictorSettings {
  readonly sampling: Sampling;
  /** Asks a hybrid reasoning model to think, or not to; absent: the server's default. */
  readonly thinking?: boolean;
  /** How often a reply that cannot be used is sent back with what is wrong: 0 or 1. */
  readonly corrections: 0 | 1;
  /**
   * Leaves tokens of chat templates, such as `<|im_end|>`, in inputs and demonstrations as they are, so
   * that a server may read them as tokens; absent: a space breaks each.
   */
  readonly keepsChatTokens?: true;
}

/** A predictor with its current texts: all that a driver needs to make a prompt. */
export interface DriverBinding {
  readonly signature: Signature;
  readonly instruction: string;
  /** The signature's fields with their current descriptions. */
  readonly input: readonly Field[];
  readonly output: readonly Field[];
  readonly demos: readonly Demonstration[];
  /** How prompts are laid out: as today, unless an artifact was compiled otherwise. */
  readonly layout: PromptLayout;
  readonly settings: PredictorSettings;
}

/** One call of a predictor, as a driver sees it. */
export interface DriverSession {
  /** Records every request, and sets seed, role, signal and repetition whatever the driver says. */
  readonly lm: LanguageModel;
}

export interface BoundDriver {
  doRender(inputs: JsonObject): readonly LmMessage[];
  /**
   * Returns values that pass the output fields' own checks. Rejects with a `FormatError` when the
   * model's text cannot be used, and passes on what the LM rejects with.
   */
  doPredict(inputs: JsonObject, session: DriverSession): Promise<JsonObject>;
}

/** How a predictor talks to its LM. All drivers pass one contract suite. */
export interface Driver {
  readonly name: string;
  doBind(binding: DriverBinding): BoundDriver;
}
