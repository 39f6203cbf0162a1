import type { Embedder, Study } from "espalier";
import { rehearsalEmbedder } from "@espalier/rehearsal";
import type { Budget, Optimizer } from "espalier/optimizer";
import {
  bootstrapFewShot,
  decisionFit,
  gepa,
  autoSearch,
  inTurn,
  miproV2,
  sameParent,
  parameterSearch,
} from "espalier/optimizer";
import { dialStudy, wideDialStudy } from "../parameter-search/support/dials.ts";
import { placeStudy } from "./place-search.ts";
import { weighedStudy } from "./weighed-places.ts";

/** A study with its optimizer, which the rehearsal LM can run. */
export interface Search {
  /** Allows several steps after the seed's evaluation. */
  readonly budget: Budget;
  /** @param embedder of programs that choose demonstrations by one */
  readonly studyOf: (embedder?: Embedder) => Study & { readonly optimizer: Optimizer };
}

/** Shows one demonstration at a time, so that the nearest one wins. */
const few = { trials: 6, maxBootstrapped: 1, maxLabelled: 1 };

/** Every optimizer, and variants of some. Each finds something better than the seed. */
export const searches: readonly (readonly [string, Search])[] = Object.entries({
  "gepa()": search(placeStudy, gepa(), 80),
  "gepa(), four proposals at a time": search(
    placeStudy,
    gepa({ search: { proposals: sameParent({ count: 4 }) } }),
    80,
  ),
  "bootstrapFewShot()": search(weighedStudy, bootstrapFewShot({ trials: 6 }), 80),
  "bootstrapFewShot(), nearest by words": search(
    weighedStudy,
    bootstrapFewShot({ ...few, nearest: { by: "words", k: [1, 2] } }),
    80,
  ),
  "bootstrapFewShot(), nearest by an embedder": {
    budget: { metricCalls: 80 },
    studyOf: (embedder = rehearsalEmbedder()) => ({
      ...weighedStudy,
      program: weighedStudy.program.withEmbedder(embedder),
      optimizer: bootstrapFewShot({ ...few, nearest: { by: "embedder", k: [1, 2] } }),
    }),
  },
  "miproV2()": search(placeStudy, miproV2(), 90),
  "parameterSearch()": search(dialStudy, parameterSearch({ trials: 8 }), 60),
  "parameterSearch(), TPE": search(
    wideDialStudy,
    parameterSearch({ method: "tpe", trials: 14 }),
    130,
  ),
  "autoSearch()": search(placeStudy, autoSearch(), 130),
  "inTurn()": search(weighedStudy, inTurn([decisionFit(), bootstrapFewShot({ trials: 4 })]), 90),
  "decisionFit()": search(weighedStudy, decisionFit(), 60),
});

function search(study: Study, optimizer: Optimizer, metricCalls: number): Search {
  return { budget: { metricCalls }, studyOf: () => ({ ...study, optimizer }) };
}
