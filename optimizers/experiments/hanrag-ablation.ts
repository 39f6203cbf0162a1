/**
 * HANRAG without each of its parts, and with demonstrations: `espalier experiment
 * optimizers/experiments/hanrag-ablation.ts`; on MuSiQue, as in the paper, with `--trainset
 * musique` and ESPALIER_MULTIHOP_DIR.
 */
import type { Candidate, PublishedFigure } from "espalier";
import { experiment } from "espalier";
import hanrag from "../hanrag.ts";
import { fewShot } from "./support/few-shot.ts";
import type { AnswerLine } from "./support/published-answers.ts";
import { publishedAnswers } from "./support/published-answers.ts";
import { withParameters } from "./support/with-parameters.ts";

const whole = { em: 29.8, f1: 36.6, accuracy: 43.2, steps: 3.01 };

export default experiment({
  name: "hanrag-ablation",
  title: "HANRAG without each of its parts",
  source: "Sun et al. 2025, HANRAG (arXiv 2509.09713): table 6",
  breakdowns: [
    { name: "kind of question", by: "route" },
    { name: "question type", by: "questionType" },
  ],
  rows: [
    {
      name: "hanrag",
      study: hanrag,
      published: theirs(whole),
    },
    { name: "few-shot", study: hanrag, candidate: fewShot, published: theirs(whole) },
    {
      name: "without-relevance",
      study: hanrag,
      candidate: without("relevance"),
      published: theirs({ em: 25.2, f1: 32.5, accuracy: 37.8, steps: 3.06 }),
    },
    {
      name: "without-ending",
      study: hanrag,
      candidate: without("ending"),
      published: theirs({ em: 28.7, f1: 35.8, accuracy: 44.3, steps: 4.56 }),
    },
    {
      name: "without-refiner",
      study: hanrag,
      candidate: without("refiner"),
      published: theirs({ em: 24.2, f1: 32.4, accuracy: 28.9, steps: 4.12 }),
    },
  ],
});

function without(part: "relevance" | "ending" | "refiner"): Candidate {
  return withParameters({ [part]: "off" });
}

function theirs(line: AnswerLine): readonly PublishedFigure[] {
  const differs = "theirs has a trained Revelator instead of prompts, and names no questions";
  return publishedAnswers(line, { table: 6, trainset: "musique-questions", differs });
}
