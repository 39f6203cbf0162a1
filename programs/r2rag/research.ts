import type { Call, InputOf, LmMessage, RankedPassage, Text, Tokenizer } from "espalier";
import { textOfContent } from "espalier";
import type { answerInput, AnsweringParts } from "./answering.ts";
import type { ContextBudget } from "./context-budget.ts";
import { documentBlock, documentsWithin } from "./documents.ts";
import { findDocuments, isNotBlank } from "./find-documents.ts";
import type { Round } from "./review.ts";
import { nothingUseful, review, reviewInputs } from "./review.ts";
import type { VanillaAgentModules } from "./vanilla-agent-modules.ts";
import { withFallback } from "../support/with-fallback.ts";

export type VanillaAgentCall = Call<
  VanillaAgentModules["predictors"],
  VanillaAgentModules["parameters"]
>;

export interface ResearchParts extends Omit<AnsweringParts, "sampling"> {
  readonly tokenizer: Tokenizer;
  readonly budget: ContextBudget;
  /** The prompt of a review with these inputs, for counting its tokens. */
  readonly reviewPrompt: (inputs: ReturnType<typeof reviewInputs>) => readonly LmMessage[];
}

/**
 * The search loop of Vanilla Agent (section 3.3): rounds of variants, search, reranking and review
 * that keep useful documents. It ends when the kept documents exceed `stopTokens`, when the review
 * finds them sufficient, or after `rounds` rounds. The last limit also applies if no search ever
 * finds anything; a later version of the authors' code would then continue forever.
 *
 * Choices where the authors leave room or contradict themselves:
 *
 * - T > 20,000 (paper) ends the loop, and the answer's context is cut to 19,880 (code): both apply.
 * - Variants are written without thinking until a round has found nothing (code).
 * - The history includes queries that found nothing: the paper keeps all queries used, its code
 *   only those reviewed.
 * - Document numbers are unique over all rounds: they continue after the last one shown. The code
 *   continues after the number of kept documents, so that a number can occur twice.
 *
 * @returns the kept documents without duplicates, in the order they were found useful, within the
 * budget
 */
export async function research(
  { question }: InputOf<typeof answerInput>,
  call: VanillaAgentCall,
  parts: ResearchParts,
): Promise<readonly RankedPassage[]> {
  const { rounds, agentVariants, stopTokens } = call.parameters;
  const { tokenizer, budget } = parts;
  const { signal } = call;
  const kept = new Map<string, RankedPassage>();
  const history: Round[] = [];
  // The question is the first query.
  let query: Text<"query"> = String(question);
  let isThinking = false;
  let first = 1;
  let reason = "rounds";

  for (let round = 1; round <= rounds; round++) {
    const step = call.at("round", round);
    const { varyQuery, varyQueryAtOnce } = step.predictors;
    const vary = isThinking ? varyQuery : varyQueryAtOnce;
    const relevant = await findDocuments({ query, count: agentVariants, vary }, step, parts);
    if (relevant.length === 0) {
      history.push({ query, summary: nothingUseful });
      isThinking = true;
      if (round < rounds) query = await reformulated(query, step);
      continue;
    }
    const inputs = reviewInputs({ question, query, history });
    const shown = await fitting(relevant, budget.beside(await promptTokens(inputs)));
    step.step(`Reviewing ${shown.length} documents\n`);
    const reviewed = await review(inputs, { shown, first }, step);
    first += shown.length;
    for (const document of reviewed.useful) {
      if (!kept.has(document.id)) kept.set(document.id, document);
    }
    const summary = reviewed.useful.length > 0 ? reviewed.summary : nothingUseful;
    history.push({ query, summary });
    step.step(`Kept ${reviewed.useful.length} documents. ${summary}\n`);
    if (reviewed.isSufficient) {
      reason = reviewed.isForced ? "no new query" : "sufficient";
      break;
    }
    if ((await tokensOf([...kept.values()])) > stopTokens) {
      reason = "tokens";
      break;
    }
    query = reviewed.newQuery;
  }
  call.note("ended", reason);
  return fitting([...kept.values()], budget.documentTokens);

  async function sizes(documents: readonly RankedPassage[]): Promise<readonly number[]> {
    const blocks = documents.map((document, index) => documentBlock(document, first + index));
    return tokenizer.countTokens(blocks, { signal });
  }

  async function tokensOf(documents: readonly RankedPassage[]): Promise<number> {
    return (await sizes(documents)).reduce((total, size) => total + size, 0);
  }

  async function fitting(
    documents: readonly RankedPassage[],
    tokens: number,
  ): Promise<readonly RankedPassage[]> {
    return documentsWithin(documents, await sizes(documents), tokens);
  }

  async function promptTokens(inputs: ReturnType<typeof reviewInputs>): Promise<number> {
    const prompt = parts.reviewPrompt(inputs).map(({ content }) => textOfContent(content));
    const counts = await tokenizer.countTokens(prompt, { signal });
    return counts.reduce((total, count) => total + count, 0);
  }
}

/** A better query in place of one that found nothing; the same query if that fails. */
async function reformulated(query: Text<"query">, step: VanillaAgentCall): Promise<Text<"query">> {
  const { newQuery } = await withFallback(() => step.predictors.reformulateQuery({ query }), {
    call: step,
    key: "reformulationFailed",
    fallback: { newQuery: query },
  });
  return isNotBlank(newQuery) ? newQuery : query;
}
