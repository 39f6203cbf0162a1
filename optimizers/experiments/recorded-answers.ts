/**
 * Passages of IBM's ELSER and answers from them, as they were recorded for all turns of MTRAG; asks
 * no LM: `espalier experiment optimizers/experiments/recorded-answers.ts` with ESPALIER_MTRAG_DIR
 * and ESPALIER_RECORDED_DIR.
 */
import { experiment } from "espalier";
import { rougeLOf } from "espalier/metric";
import type { ConversationalLabels } from "../../trainsets/conversational.ts";
import { recordedTaskC } from "../support/recorded-answers.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";

const differs = "the recording does not say which queries were searched";

export default experiment({
  name: "recorded-answers",
  title: "Recorded passages and answers of Task C",
  source: "Katsis et al. 2025, MTRAG: retrieval by ELSER, with rewritten queries",
  note: "Passages and answers are recorded outputs (pashaAbri/mt-rag-benchmark @ 8bb7127, Apache-2.0); no LM is asked. Figures are of the turns that are judged for retrieval.",
  breakdowns: conversationBreakdowns,
  figures: [
    {
      name: "rouge_l",
      of: ({ example, output }) => {
        const { answer } = output as { readonly answer: string };
        return rougeLOf(answer, (example.labels as ConversationalLabels).answer);
      },
    },
  ],
  rows: [
    {
      name: "elser-top-5",
      study: recordedTaskC,
      recorded: ["ELSER", "an LM that the recording does not name"],
      published: [
        { value: 0.52, metric: "recall_5", of: "MTRAG, ELSER, R@5", differs },
        { value: 0.48, metric: "ndcg_cut_5", of: "MTRAG, ELSER, nDCG@5", differs },
      ],
    },
  ],
});
