/**
 * R2RAG with the LM and with the trained classifier as router: `npm run train:complexity` first,
 * then `espalier experiment optimizers/experiments/r2rag-complexity.ts` with
 * ESPALIER_COMPLEXITY_DIR; the routers alone, on the questions held out from the training, with
 * `--trainset held-out`.
 */
import { experiment } from "espalier";
import r2rag from "../r2rag.ts";
import { rightlyRouted } from "./support/rightly-routed.ts";
import { withVariants } from "./support/with-variants.ts";

export default experiment({
  name: "r2rag-complexity",
  title: "Query classifiers: the LM and logistic regression",
  source: "RMIT-ADM+S, MMU-RAG at NeurIPS 2025: section 3.1, which has no table",
  note: "The paper prints no figures of its classifiers, so none stand beside these. On four shelves the whole system answers, and rightly_routed is the accuracy of its router; on held-out questions the routers stand alone, and accuracy is their score.",
  figures: [{ name: "rightly_routed", of: rightlyRouted }],
  breakdowns: [
    { name: "kind of question", by: "route" },
    { name: "file", by: "source" },
  ],
  rows: [
    { name: "lm", study: r2rag },
    { name: "logistic-regression", study: withVariants(r2rag, "logistic-regression") },
  ],
});
