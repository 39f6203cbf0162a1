import type { LmReply } from "../../contract/index.ts";
import { alternativesOf, sharesOf } from "../../contract/index.ts";
import { FormatError, LmError } from "../../errors/index.ts";

/**
 * P(yes) against no at the first token that has letters, from the log-probabilities of its
 * alternatives. Renormalises the reported probabilities, whether before or after masks, over the
 * two labels; spellings of a label (`yes`, ` Yes`, `YES.`) add up.
 *
 * @param passageId for errors
 */
export function probabilityOfYes({ logprobs, model, content }: LmReply, passageId: string): number {
  const where = `model \`${model}\`, passage \`${passageId}\``;
  if (logprobs === undefined || logprobs.every(({ top }) => top.length === 0)) {
    throw new LmError({
      code: "lm-unsupported",
      problem: "The LM returned no log-probabilities, which P(yes) requires",
      where,
      expected: "`logprobs` with alternatives in the reply",
      got: "none",
      fix: "Use a server that supports them (vLLM: `--max-logprobs` of at least 20), or another reranker.",
    });
  }
  const token = logprobs.find(({ token }) => labelOf(token) !== "");
  const mass = { yes: 0, no: 0 };
  for (const { token: word, logprob } of token === undefined ? [] : alternativesOf(token)) {
    const label = labelOf(word);
    if (label === "yes" || label === "no") mass[label] += Math.exp(logprob);
  }
  const shares = sharesOf(mass);
  if (shares !== null) return shares.yes;
  throw new FormatError({
    code: "output-invalid",
    problem: "Neither yes nor no is among the LM's likely answers",
    where,
    expected: "a first word of yes or no",
    got: JSON.stringify(content),
    fix: "If the model thinks first, turn off thinking at the server.",
    rawText: content,
  });
}

/** A token's letters, lower-cased: tokenizers mark a leading space with `Ġ` or `▁`. */
function labelOf(token: string): string {
  return token.replaceAll(/[^\p{L}]|Ġ/gu, "").toLowerCase();
}
