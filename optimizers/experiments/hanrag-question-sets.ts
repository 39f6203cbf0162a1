/**
 * HANRAG beside its baselines, without and with demonstrations: `espalier experiment
 * optimizers/experiments/hanrag-question-sets.ts`; on each set of the paper with `--trainset NAME`
 * and ESPALIER_MULTIHOP_DIR.
 */
import type { BrokenDownRow, Candidate } from "espalier";
import { experiment } from "espalier";
import type { HanragLabels } from "../../programs/hanrag/index.ts";
import adaptive from "../hanrag-adaptive.ts";
import ircot from "../hanrag-ircot.ts";
import hanrag from "../hanrag.ts";
import { fewShot } from "./support/few-shot.ts";
import { hanragLines } from "./support/hanrag-lines.ts";
import { withVariants } from "./support/with-variants.ts";
import { withParameters } from "./support/with-parameters.ts";

const ofTheirs = "theirs has a trained Revelator instead of prompts, and names no questions";
const ofBaseline = "theirs names neither its model nor its questions";
const wholeSystem = [
  ...hanragLines("hanrag", ofTheirs, { method: "fair", name: "HANRAG-Fair, with FLAN-T5-XL," }),
  // Four shelves, like their test set, have questions of all four kinds.
  {
    value: 0.8393,
    metric: "rightly_routed",
    of: "appendix C",
    trainset: "four-shelves-questions",
    differs:
      "theirs is a trained Revelator's, on 1,500 questions of each kind: CommonsenseQA, three single-hop sets, three multi-hop sets, and its compound set",
  },
];

export default experiment({
  name: "hanrag-question-sets",
  title: "HANRAG and its baselines",
  source: "Sun et al. 2025, HANRAG (arXiv 2509.09713): tables 1 to 5, appendix C",
  note: "rightly_routed is the share of questions that went the way of their label. Where all go one way, as in no-retrieval, single-step, iterative and hanrag-ircot, it is the share of these questions; no way of hanrag-adaptive is that of compound questions.",
  figures: [{ name: "rightly_routed", of: rightlyRouted }],
  breakdowns: [
    { name: "kind of question", by: "route" },
    { name: "question type", by: "questionType" },
  ],
  rows: [
    { name: "hanrag", study: hanrag, published: wholeSystem },
    { name: "few-shot", study: hanrag, candidate: fewShot, published: wholeSystem },
    {
      name: "hanrag-oracle",
      study: withVariants(hanrag, "oracle"),
      published: hanragLines("oracle", ofTheirs),
    },
    {
      name: "no-retrieval",
      study: hanrag,
      candidate: routedTo("straightforward"),
      published: hanragLines("no-retrieval", ofBaseline),
    },
    {
      name: "single-step",
      study: hanrag,
      candidate: withParameters({ routing: "single-step", relevance: "off", kept: 5 }),
      published: hanragLines("single-step", ofBaseline),
    },
    { name: "iterative", study: hanrag, candidate: routedTo("complex") },
    { name: "hanrag-ircot", study: ircot, published: hanragLines("ircot", ofBaseline) },
    { name: "hanrag-adaptive", study: adaptive, published: hanragLines("adaptive", ofBaseline) },
  ],
});

/** Every question goes the same way. */
function routedTo(route: "straightforward" | "complex"): Candidate {
  return withParameters({ routing: route });
}

function rightlyRouted({ example, output }: BrokenDownRow): number | null {
  const { route } = example.labels as Partial<HanragLabels>;
  const taken = (output as { readonly route?: string } | undefined)?.route;
  return route === undefined || taken === undefined ? null : Number(taken === route);
}
