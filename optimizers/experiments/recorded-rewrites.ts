/**
 * Searches with rewrites that real models were recorded to write, on all judged turns of MTRAG, and
 * asks no LM: `espalier experiment optimizers/experiments/recorded-rewrites.ts` with
 * ESPALIER_MTRAG_DIR and ESPALIER_RECORDED_DIR.
 */
import type { ExperimentRow, PublishedFigure } from "espalier";
import { experiment } from "espalier";
import { onAllTurns, recordedFusion, recordedSearch } from "../support/recorded-rewrites.ts";
import type { Wording } from "../support/recorded-wordings.ts";
import { modelsOf, wordingsOfStrategies } from "../support/recorded-wordings.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";
import { recordedNote } from "./support/recorded-note.ts";

export default experiment({
  name: "recorded-rewrites",
  title: "Recorded rewrites of real models, searched with BM25",
  source: "Katsis et al. 2025, MTRAG; AILS-NTUA, SemEval-2026 Task 8: tables 4, 14 and 16",
  note: recordedNote,
  breakdowns: conversationBreakdowns,
  rows: [
    searched("last-turn", ["lastturn"], theirs({ recall: 0.2, ndcg: 0.18 })),
    searched("human-rewrite", ["human"], theirs({ recall: 0.25, ndcg: 0.22 })),
    searched("mixtral", ["mixtral"]),
    searched("mixtral-targeted", ["mixtralTargeted"]),
    searched("sonnet-4", ["sonnet4"]),
    searched("sonnet-4-targeted", ["sonnet4Targeted"]),
    searched("dialogue-history", ["dhRag"]),
    searched("aggressive", ["aggressive"]),
    searched("informative", ["informative"]),
    searched("rewrite-then-edit", ["expanded"]),
    searched("human-mixtral-sonnet-4", ["human", "mixtral", "sonnet4"]),
    searched("five-in-one-level", Object.values(wordingsOfStrategies)),
    {
      name: "five-nested",
      study: onAllTurns(recordedFusion),
      recorded: modelsOf(Object.values(wordingsOfStrategies)),
    },
  ],
});

function searched(
  name: string,
  wordings: readonly Wording[],
  published: readonly PublishedFigure[] = [],
): ExperimentRow {
  const study = onAllTurns(recordedSearch(...wordings));
  return { name, study, recorded: modelsOf(wordings), published };
}

/** MTRAG's own figures of BM25. */
function theirs({
  recall,
  ndcg,
}: Readonly<Record<"recall" | "ndcg", number>>): readonly PublishedFigure[] {
  const differs = "theirs is over the whole collections, in Elasticsearch";
  return [
    { value: recall, metric: "recall_5", of: "MTRAG, BM25, R@5", differs },
    { value: ndcg, metric: "ndcg_cut_5", of: "MTRAG, BM25, nDCG@5", differs },
  ];
}
