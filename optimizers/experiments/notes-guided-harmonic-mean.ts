/**
 * The IDK-conditioned harmonic mean of the notes-guided system before and after a search over its
 * classifier, routing and answers, which its authors left to future work: by texts alone, by the
 * routing alone, and by all of them jointly. `espalier experiment
 * optimizers/experiments/notes-guided-harmonic-mean.ts`; on MTRAG with `--trainset mtrag` and
 * ESPALIER_MTRAG_DIR.
 */
import { experiment } from "espalier";
import { gepa } from "espalier/optimizer";
import abstention from "../notes-guided-abstention.ts";
import harmonicMean from "../notes-guided-harmonic-mean.ts";
import joint from "../notes-guided-joint.ts";
import routing from "../notes-guided-routing.ts";
import { answeringBudget, judgingAndAnswering } from "../support/notes-guided-answering.ts";
import {
  abstentionRate,
  byAbstention,
  conversationBreakdowns,
} from "./support/conversation-breakdowns.ts";
import { withOptimizer } from "./support/with-optimizer.ts";

/** Every search may spend the same. */
const optimize = { budget: answeringBudget };
const texts = gepa({ components: judgingAndAnswering.map((name) => `instruction:${name}`) });

export default experiment({
  name: "notes-guided-harmonic-mean",
  title: "Conditioned quality, texts, routing and both searched",
  source: "NLP-CEIA-UFG, SemEval-2026 Task 8: tables 2 to 6, and future work i and iii",
  note: "as-declared follows the label that the classifier wrote, and threshold-searched its stated confidence. All other rows follow the likelier label after its weight, from the probabilities of the reply: by-probability with weights of 1. Retrieval is the same in all rows.",
  figures: [abstentionRate],
  breakdowns: [byAbstention, ...conversationBreakdowns],
  rows: [
    {
      name: "as-declared",
      study: harmonicMean,
      published: [
        {
          value: 0.3774,
          of: "table 2, HM",
          trainset: "mtrag-un",
          differs:
            "theirs is on the 507 turns of MTRAG-UN, with gpt-oss-120b and Gemini 2.5 Flash, IBM's judges, and a retriever optimized by GEPA",
        },
        {
          value: 0.755,
          metric: "idk_rate",
          of: "table 3, overall",
          trainset: "mtrag-un",
          differs: "the same system and data",
        },
      ],
    },
    { name: "by-probability", study: routing },
    { name: "threshold-searched", study: abstention, optimize },
    { name: "texts-searched", study: withOptimizer(routing, texts), optimize },
    { name: "weights-fitted", study: routing, optimize },
    { name: "searched-jointly", study: joint, optimize },
  ],
});
