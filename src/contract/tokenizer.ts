import type { LmIdentity } from "./language-model.ts";
import type { TextModelOptions } from "./text-model.ts";

/** Counts tokens with a language model's own tokenizer, for budgets that depend on its context. */
export interface Tokenizer {
  readonly identity: LmIdentity;
  /**
   * Token count of each text on its own, in order, without special tokens or chat template. Fails
   * with an `LmError` as a language model does, and rejects with the signal's reason when aborted.
   */
  countTokens(texts: readonly string[], options?: TextModelOptions): Promise<readonly number[]>;
}
