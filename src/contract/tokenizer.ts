import type { LmIdentity } from "./language-model.ts";
import type { TextModelOptions } from "./text-model.ts";

/** Counts tokens as a language model's own tokenizer does, for budgets that its context sets. */
export interface Tokenizer {
  readonly identity: LmIdentity;
  /**
   * Tokens of each text by itself, in order, without special tokens and chat template. Fails with an
   * `LmError` as a language model does, and rejects with the signal's reason when aborted.
   */
  countTokens(texts: readonly string[], options?: TextModelOptions): Promise<readonly number[]>;
}
