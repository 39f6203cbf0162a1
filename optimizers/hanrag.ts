/**
 * Optimizes HANRAG for token F1, and for fewer steps, on questions over four shelves:
 * `espalier optimize optimizers/hanrag.ts`; on MuSiQue with `--trainset musique`.
 */
import type { Trainset } from "espalier";
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import type { Corpus } from "espalier/retrieval";
import { bm25Index, corpus, readCorpus } from "espalier/retrieval";
import type { HanragLabels } from "../programs/hanrag/index.ts";
import { answerWithFeedback, hanrag } from "../programs/hanrag/index.ts";
import { fourShelvesPassages, fourShelvesQuestions } from "../trainsets/four-shelves/index.ts";
import { decomposedQuestions, paragraphKey } from "../trainsets/multi-hop/index.ts";
import { dataFolder } from "./support/data-folder.ts";

async function partsOn(
  trainset: Trainset<{ readonly question: string }, HanragLabels>,
  searched: Corpus,
) {
  const byId = new Map(searched.passages.map((passage) => [passage.id, passage]));
  // One file for each state of the texts, because an index never changes once it is built.
  const path = `.espalier/${trainset.name}-${searched.checksum.slice(0, 12)}.sqlite`;
  return {
    name: "hanrag",
    program: hanrag({ retriever: await bm25Index({ path, corpus: searched }) }),
    trainset,
    objective: answerWithFeedback({ passageOf: (id) => byId.get(id) }),
    // Hybrid: a candidate also counts if it is the best in a single objective, such as few steps.
    optimizer: gepa({ budget: { metricCalls: 2_000 }, search: { frontier: "hybrid" } }),
  };
}

async function onMusique() {
  const folder = dataFolder("ESPALIER_MULTIHOP_DIR", "musique_{train,dev}.jsonl and its corpus");
  const searched = await readCorpus(`${folder}/musique_corpus.jsonl.gz`);
  const ids = new Map(searched.passages.map((passage) => [paragraphKey(passage), passage.id]));
  return partsOn(await decomposedQuestions({ set: "musique", folder, ids }), searched);
}

export default study({
  ...(await partsOn(await fourShelvesQuestions(), corpus(await fourShelvesPassages()))),
  variants: { musique: async () => study(await onMusique()) },
});
