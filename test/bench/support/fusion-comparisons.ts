import type { Candidate, Runnable } from "espalier";
import type { Comparison, Evaluation } from "espalier/evaluate";
import { compare, evaluate } from "espalier/evaluate";
import type { RecordedInput } from "../../../optimizers/support/recorded-turns.ts";
import { wordingsOfStrategies } from "../../../optimizers/support/recorded-wordings.ts";
import { searchWordings } from "../../../programs/ails-ntua/index.ts";
import type { Figures } from "./fusion-figures.ts";
import { ndcgOfTurns, unusedLm, replayedFusion } from "./fusion-search.ts";
import type { Ranking, Replay } from "./rewrites-on-mtrag.ts";

export interface ComparedFusion extends Partial<
  Pick<Comparison, "difference" | "interval" | "verdict">
> {
  readonly name: string;
  readonly figures: Figures;
}

type Fusion = Runnable<RecordedInput, { readonly passages: Ranking }>;

/** The paper's parameters first, then the alternatives, each compared with them on unseen turns. */
export async function fusionComparisons(
  { turns, sparse }: Replay,
  found: Candidate,
): Promise<readonly ComparedFusion[]> {
  const fusion = replayedFusion({ sparse });
  const unseen = turns.filter(({ isUnseen }) => isUnseen);
  const judged = async (program: Fusion): Promise<Evaluation> =>
    evaluate({
      program,
      examples: unseen.map(({ example }) => example),
      metric: ndcgOfTurns,
      lm: unusedLm,
    });
  const paper = await judged(fusion);
  const five = Object.values(wordingsOfStrategies);
  const others: readonly (readonly [string, Fusion])[] = [
    ["nested, numbers found", fusion.with(found)],
    ["one level, equal weights", searchWordings({ sparse, wordings: five })],
    ...five.map(
      (wording) => [`${wording} alone`, searchWordings({ sparse, wordings: [wording] })] as const,
    ),
  ];
  const compared: ComparedFusion[] = [
    { name: "nested, the paper's numbers", figures: figures(paper) },
  ];
  for (const [name, program] of others) {
    const other = await judged(program);
    const { difference, interval, verdict } = compare(paper, other);
    compared.push({ name, figures: figures(other), difference, interval, verdict });
  }
  return compared;
}

function figures({ value, objectives }: Evaluation): Figures {
  return { ndcg_cut_5: value ?? Number.NaN, recall_5: objectives["recall_5"] ?? Number.NaN };
}
