/**
 * IRCoT on 500 questions of HotpotQA as a real model was recorded to answer them; asks no LM:
 * `espalier experiment optimizers/experiments/recorded-chains.ts` with ESPALIER_RECORDED_DIR.
 */
import { experiment } from "espalier";
import { modelOfChains, recordedIrcot } from "../support/recorded-chains.ts";
import { hanragLine } from "./support/hanrag-lines.ts";
import { publishedAnswers } from "./support/published-answers.ts";

export default experiment({
  name: "recorded-chains",
  title: "Recorded chains of IRCoT",
  source: "Sun et al. 2025, HANRAG (arXiv 2509.09713): table 2, IRCoT on HotpotQA",
  note: "Every answer is a model's recorded output (xindili-cmu/anlp-project-multihop @ df0d575, Apache-2.0); no LM is asked.",
  breakdowns: [
    {
      name: "steps",
      by: ({ output }) => String((output as { readonly steps?: number } | undefined)?.steps),
    },
  ],
  rows: [
    {
      name: "reader",
      study: recordedIrcot("reader"),
      recorded: [modelOfChains],
      published: publishedAnswers(hanragLine("ircot", "hotpotqa"), {
        table: 2,
        differs: "theirs names neither its model nor its questions of the set",
      }),
    },
    { name: "chain", study: recordedIrcot("chain"), recorded: [modelOfChains] },
  ],
});
