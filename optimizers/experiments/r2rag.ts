/**
 * R2RAG's router beside one pipeline for every question, and optimized: `espalier experiment
 * optimizers/experiments/r2rag.ts`; on the servers that its authors deployed with `--servers
 * optimizers/servers/r2rag.json`.
 */
import { experiment } from "espalier";
import deployed from "../r2rag-deployed.ts";
import review from "../r2rag-review.ts";
import r2rag from "../r2rag.ts";
import { rightlyRouted, routeOf } from "./support/rightly-routed.ts";

export default experiment({
  name: "r2rag",
  title: "Routing, both pipelines and the end of research",
  source: "RMIT-ADM+S, MMU-RAG at NeurIPS 2025: section 3, which has no table",
  note: "The paper prints no figures of its parts, so none stand beside these. vanilla-rag is the router that calls every question simple, vanilla-agent the one that calls every question complex, and oracle the one that knows the labels. as-deployed samples as the authors did, and searches the search engine of the servers file, if it names one: no citation from there can be right, since gold passages are of four shelves.",
  figures: [{ name: "rightly_routed", of: rightlyRouted }],
  breakdowns: [
    { name: "route taken", by: (row) => routeOf(row) ?? null },
    { name: "kind of question", by: "route" },
    { name: "question type", by: "questionType" },
  ],
  rows: [
    { name: "router", study: r2rag },
    { name: "vanilla-rag", study: r2rag, variant: "vanilla-rag" },
    { name: "vanilla-agent", study: r2rag, variant: "vanilla-agent" },
    { name: "oracle", study: r2rag, variant: "oracle" },
    { name: "as-deployed", study: deployed },
    { name: "review-weighed", study: review },
    { name: "review-fitted", study: review, optimize: true, against: "review-weighed" },
    { name: "optimized", study: r2rag, optimize: true },
  ],
});
