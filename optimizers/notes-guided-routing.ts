/**
 * Fits how much the labels of the notes-guided system's classifier weigh, from the probabilities of
 * its replies, to the IDK-conditioned harmonic mean: `espalier optimize
 * optimizers/notes-guided-routing.ts`; on MTRAG with `--trainset mtrag`. Once all three ways of
 * each question are recorded, with the files in `candidates/notes-guided-routing`, `--cache-only`
 * fits without a call.
 */
import { study } from "espalier";
import { decisionFit } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import type { AnsweringOptions } from "./support/notes-guided-answering.ts";
import { notesGuidedAnswering, onMtrag } from "./support/notes-guided-answering.ts";

export default async (parts: Parts) => {
  const on = async (given?: AnsweringOptions) => ({
    name: "notes-guided-routing",
    ...(await notesGuidedAnswering(parts, { ...given, routing: "weighed" })),
    optimizer: decisionFit(),
  });
  return study({
    ...(await on()),
    variants: onMtrag(async (data) => study(await on({ data }))),
  });
};
