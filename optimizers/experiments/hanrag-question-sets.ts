/**
 * HANRAG beside its baselines, without and with demonstrations: `espalier experiment
 * optimizers/experiments/hanrag-question-sets.ts`; on each set of the paper with `--trainset NAME`
 * and ESPALIER_MULTIHOP_DIR.
 */
import type { Candidate, PublishedFigure } from "espalier";
import { experiment } from "espalier";
import adaptive from "../hanrag-adaptive.ts";
import ircot from "../hanrag-ircot.ts";
import hanrag from "../hanrag.ts";
import { fewShot } from "./support/few-shot.ts";
import type { AnswerLine } from "./support/published-answers.ts";
import { publishedAnswers } from "./support/published-answers.ts";
import { withVariants } from "./support/with-variants.ts";
import { withParameters } from "./support/with-parameters.ts";

/** Their lines of the whole system, by set. */
const lines: Readonly<Record<string, AnswerLine & { readonly table: number }>> = {
  squad: { table: 1, em: 39.8, f1: 39.76, accuracy: 57.8, steps: 1.11 },
  nq: { table: 1, em: 56.4, f1: 49.12, accuracy: 69.2, steps: 1 },
  triviaqa: { table: 1, em: 57.2, f1: 62.21, accuracy: 69.2, steps: 1.08 },
  musique: { table: 2, em: 29.8, f1: 36.6, accuracy: 43.2, steps: 2.45 },
  hotpotqa: { table: 2, em: 49.2, f1: 58.9, accuracy: 61.3, steps: 3.07 },
  "2wikimultihopqa": { table: 2, em: 47.2, f1: 58.9, accuracy: 60.8, steps: 2.31 },
  compound: { table: 5, accuracy: 71.76, steps: 1.24 },
};

export default experiment({
  name: "hanrag-question-sets",
  title: "HANRAG and its baselines",
  source: "Sun et al. 2025, HANRAG (arXiv 2509.09713): tables 1 to 5",
  breakdowns: [
    { name: "kind of question", by: "route" },
    { name: "question type", by: "questionType" },
  ],
  rows: [
    { name: "hanrag", study: hanrag, published: ofTheirSets() },
    { name: "few-shot", study: hanrag, candidate: fewShot, published: ofTheirSets() },
    { name: "hanrag-oracle", study: withVariants(hanrag, "oracle") },
    { name: "no-retrieval", study: hanrag, candidate: routedTo("straightforward") },
    {
      name: "single-step",
      study: hanrag,
      candidate: withParameters({ routing: "single-step", relevance: "off", kept: 5 }),
    },
    { name: "iterative", study: hanrag, candidate: routedTo("complex") },
    { name: "hanrag-ircot", study: ircot },
    { name: "hanrag-adaptive", study: adaptive },
  ],
});

/** Every question goes the same way. */
function routedTo(route: "straightforward" | "complex"): Candidate {
  return withParameters({ routing: route });
}

/** Each beside rows on its own set alone. */
function ofTheirSets(): readonly PublishedFigure[] {
  return Object.entries(lines).flatMap(([set, { table, ...line }]) =>
    publishedAnswers(line, {
      table,
      trainset: `${set}-questions`,
      differs: "theirs has a trained Revelator instead of prompts, and names no questions",
    }),
  );
}
