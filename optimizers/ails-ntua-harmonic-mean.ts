/**
 * Optimizes all of AILS-NTUA for the IDK-conditioned harmonic mean on four shelves. The lexical
 * stand-in for RB_agg, which needs no model, is the judge: `espalier optimize
 * optimizers/ails-ntua-harmonic-mean.ts`
 */
import { study } from "espalier";
import { lexicalGenerationQuality } from "espalier/metric";
import { gepa } from "espalier/optimizer";
import { lexicalReranker } from "espalier/retrieval";
import { ailsNtua } from "../programs/ails-ntua/index.ts";
import { collectionsOfShelves, shelfIndexes } from "./support/collections-of-shelves.ts";

const sparse = await shelfIndexes();

export default study({
  name: "ails-ntua-harmonic-mean",
  program: ailsNtua({ sparse, reranker: lexicalReranker({ index: sparse.other }) }),
  trainset: await collectionsOfShelves(),
  objective: lexicalGenerationQuality({
    answer: "answer",
    passages: "contexts",
    reference: "answer",
    answerability: "answerability",
    relevant: "relevant",
    blame: {
      retrieving: [
        "rewriteMinimally",
        "rewriteForEncyclopedia",
        "rewriteForFinanceForum",
        "rewriteForAgencyPages",
        "rewriteForCloudDocumentation",
        "rewriteStepByStep",
        "writeHypotheticalPassage",
        "rewriteWithKeywords",
      ],
      abstaining: ["judgeDocuments", "judgeSpans", "judgeAnswer"],
      answering: ["extractSpans", "writeAnswerA", "writeAnswerB", "declineToAnswer"],
    },
  }),
  optimizer: gepa({ budget: { metricCalls: 3_000 } }),
});
