/**
 * Optimizes R2RAG, the router and both pipelines together, for correct answers that cite their
 * sources, on questions over four shelves: `espalier optimize optimizers/r2rag.ts`; one pipeline
 * for every question with `--trainset vanilla-rag` or `vanilla-agent`, the labels as router with
 * `--trainset oracle`; the trained classifier of ESPALIER_COMPLEXITY_DIR as router with `--trainset
 * four-shelves-logistic-regression`; a router alone, on the questions held out from its training,
 * with `--trainset held-out` or `held-out-logistic-regression`.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import { bm25Index, corpus } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import type { ComplexityClassifier } from "../programs/r2rag/index.ts";
import { citedAnswer, r2rag, vanillaAgent, vanillaRag } from "../programs/r2rag/index.ts";
import { fourShelvesPassages, fourShelvesQuestions } from "../trainsets/four-shelves/index.ts";
import { indexFile } from "./support/indexes-over.ts";
import { labelledComplexity, r2ragParts, mockThreshold } from "./support/r2rag-parts.ts";
import { routerOnHeldOut, trainedComplexity } from "./support/trained-complexity.ts";

export default async (parts: Parts) => {
  const shelves = corpus(await fourShelvesPassages());
  const byId = new Map(shelves.passages.map((passage) => [passage.id, passage]));
  const searched = r2ragParts(await bm25Index(indexFile("four-shelves", shelves)), parts);
  const trainset = await fourShelvesQuestions();
  const common = {
    name: "r2rag",
    trainset,
    objective: citedAnswer({ passageOf: (id) => byId.get(id) }),
    optimizer: gepa({ budget: { metricCalls: 2_000 }, search: { frontier: "hybrid" } }),
  };
  const fitted = mockThreshold(parts);
  const routedBy = (complexity: ComplexityClassifier) =>
    study({ ...common, program: r2rag({ ...searched, complexity }).with(fitted) });
  return study({
    ...common,
    program: r2rag(searched).with(fitted),
    variants: {
      "vanilla-rag": () => study({ ...common, program: vanillaRag(searched).with(fitted) }),
      "vanilla-agent": () => study({ ...common, program: vanillaAgent(searched).with(fitted) }),
      oracle: () => routedBy(labelledComplexity(trainset)),
      "four-shelves-logistic-regression": async () => routedBy(await trainedComplexity(parts)),
      "held-out": () => routerOnHeldOut(),
      "held-out-logistic-regression": async () => routerOnHeldOut(await trainedComplexity(parts)),
    },
  });
};
