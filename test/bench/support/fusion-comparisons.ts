import type { Candidate, Runnable } from "espalier";
import type { Comparison, Evaluation } from "espalier/evaluate";
import { compare, evaluate } from "espalier/evaluate";
import type { Figures, Row } from "./fusion-figures.ts";
import { rankingOf } from "./fusion-figures.ts";
import { exampleOf, ndcgOfTurns, neverAsked, parts, replayedFusion } from "./fusion-search.ts";
import type { Collection, Ranking, ReplayedTurn } from "./rewrites-on-mtrag.ts";

export interface ComparedFusion extends Partial<
  Pick<Comparison, "difference" | "interval" | "verdict">
> {
  readonly name: string;
  readonly figures: Figures;
}

type Input = { readonly turn: string; readonly corpus: Collection };
type Output = { readonly passages: Ranking };

/** The paper's parameters first, then the alternatives, each compared with them on unseen turns. */
export async function fusionComparisons(
  turns: readonly ReplayedTurn[],
  unseen: readonly ReplayedTurn[],
  found: Candidate,
): Promise<readonly ComparedFusion[]> {
  const fusion = replayedFusion(turns);
  const judged = async (program: Runnable<Input, Output>): Promise<Evaluation> =>
    evaluate({
      program,
      examples: unseen.map(exampleOf),
      metric: ndcgOfTurns,
      lm: neverAsked,
    });
  const paper = await judged(fusion);
  const others: readonly (readonly [string, Runnable<Input, Output>])[] = [
    ["nested, numbers found", fusion.with(found)],
    ["one level, equal weights", asFound(turns, Object.values(parts))],
    ...Object.values(parts).map(
      (wording) => [`${wording} alone`, asFound(turns, [wording])] as const,
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

/** What several wordings find, fused in one level. */
function asFound(turns: readonly ReplayedTurn[], row: Row): Runnable<Input, Output> {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const name = row.join("-").toLowerCase();
  return {
    name,
    version: "1",
    inputProblem: () => null,
    attempt: async (input) => {
      const turn = byId.get(input.turn);
      if (turn === undefined) throw new Error(`Turn ${input.turn} was not replayed.`);
      return {
        state: "completed",
        output: { passages: rankingOf(turn, row).slice(0, 10) },
        trace: { program: name, version: "1", input, notes: {}, children: [], latencyMs: 0 },
      };
    },
  };
}
