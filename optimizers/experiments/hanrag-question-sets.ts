/**
 * HANRAG beside its baselines: `espalier experiment
 * optimizers/experiments/hanrag-question-sets.ts`; on each set of the paper with `--trainset NAME`
 * and ESPALIER_MULTIHOP_DIR.
 */
import type { Candidate, PublishedFigure } from "espalier";
import { experiment } from "espalier";
import adaptive from "../hanrag-adaptive.ts";
import ircot from "../hanrag-ircot.ts";
import hanrag from "../hanrag.ts";
import { withVariants } from "./support/with-variants.ts";
import { withParameters } from "./support/with-parameters.ts";

export default experiment({
  name: "hanrag-question-sets",
  title: "HANRAG and its baselines",
  source: "Sun et al. 2025, HANRAG (arXiv 2509.09713): tables 1 to 5",
  breakdowns: [
    { name: "kind of question", by: "route" },
    { name: "question type", by: "questionType" },
  ],
  rows: [
    { name: "hanrag", study: hanrag, published: onMusique() },
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

/** One set of theirs, since a row has one figure to stand beside; steps are negated. */
function onMusique(): readonly PublishedFigure[] {
  const differs =
    "theirs is on MuSiQue, whichever set the row is on, with a trained Revelator instead of prompts";
  return [
    { value: 0.366, metric: "token_f1", of: "table 2, F1", differs },
    { value: 0.298, metric: "exact_match", of: "table 2, EM", differs },
    { value: 0.432, metric: "accuracy", of: "table 2, Acc", differs },
    { value: -2.45, metric: "negated_steps", of: "table 2, Steps", differs },
  ];
}
