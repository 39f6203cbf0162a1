/**
 * The IDK-conditioned harmonic mean of the notes-guided system before and after optimization of
 * classifier, routing and answers together, which its authors left to future work: `espalier
 * experiment optimizers/experiments/notes-guided-harmonic-mean.ts`
 */
import { experiment } from "espalier";
import abstention from "../notes-guided-abstention.ts";
import harmonicMean from "../notes-guided-harmonic-mean.ts";
import {
  abstentionRate,
  byAbstention,
  conversationBreakdowns,
} from "./support/conversation-breakdowns.ts";

export default experiment({
  name: "notes-guided-harmonic-mean",
  title: "Conditioned quality before and after joint optimization",
  source: "NLP-CEIA-UFG, SemEval-2026 Task 8: tables 2 to 6, and future work i and iii",
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
          differs:
            "theirs is on the 507 turns of MTRAG-UN, with gpt-oss-120b and Gemini 2.5 Flash, IBM's judges, and a retriever optimized by GEPA",
        },
        {
          value: 0.755,
          metric: "idk_rate",
          of: "table 3, overall",
          differs: "the same system and data",
        },
      ],
    },
    { name: "optimized", study: harmonicMean, optimize: true },
    { name: "threshold-searched", study: abstention, optimize: true },
  ],
});
