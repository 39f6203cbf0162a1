/**
 * AILS-NTUA's nested fusion of rewrites that real models were recorded to write, on unseen
 * conversations of MTRAG, and asks no LM: `espalier experiment
 * optimizers/experiments/recorded-fusion.ts` with ESPALIER_MTRAG_DIR and ESPALIER_RECORDED_DIR.
 */
import type { ExperimentRow } from "espalier";
import { experiment } from "espalier";
import { recordedFusion, recordedSearch } from "../support/recorded-rewrites.ts";
import { modelsOf, wordingsOfStrategies } from "../support/recorded-wordings.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";
import { recordedNote } from "./support/recorded-note.ts";
import { withWeights } from "./support/with-parameters.ts";

const five = Object.values(wordingsOfStrategies);
const nested = { study: recordedFusion, recorded: modelsOf(five) };

export default experiment({
  name: "recorded-fusion",
  title: "Recorded rewrites of real models, fused",
  source: "AILS-NTUA, SemEval-2026 Task 8: tables 4 and 24, section B.9",
  note: `${recordedNote} searched-numbers tries 40 settings of the numbers of all four collections at once, for R@5 on val; \`npm run bench:fusion\` tries 40 for each collection, for nDCG@5 on train and val, and finds other numbers.`,
  breakdowns: conversationBreakdowns,
  rows: [
    {
      ...nested,
      name: "published-numbers",
      published: [
        {
          value: 0.607,
          metric: "recall_5",
          of: "table 4, R@5",
          differs:
            "theirs is on the 777 queries of MTRAG's dev set, with ELSER, Cohere Rerank v4 and rewrites by DeepSeek-V3.2",
        },
      ],
    },
    {
      ...nested,
      name: "uniform-weights",
      candidate: withWeights({ Minimal: 0.34, CorpusSpecific: 0.33, Weak: 0.33 }),
    },
    { name: "one-level", study: recordedSearch(...five), recorded: modelsOf(five) },
    alone("minimal-alone", "minimal"),
    alone("corpus-specific-alone", "corpusSpecific"),
    alone("chain-of-thought-alone", "chainOfThought"),
    alone("hypothetical-alone", "hypothetical"),
    alone("anchor-keyword-alone", "anchorKeyword"),
    { ...nested, name: "searched-numbers", optimize: true },
  ],
});

/** What was recorded in the role of one strategy, without the others. */
function alone(name: string, strategy: keyof typeof wordingsOfStrategies): ExperimentRow {
  const wording = wordingsOfStrategies[strategy];
  return { name, study: recordedSearch(wording), recorded: modelsOf([wording]) };
}
