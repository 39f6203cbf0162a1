/**
 * Lets GEPA write the instructions of what judges and answers in the notes-guided system, then fits
 * the label weights, for the IDK-conditioned harmonic mean; retrieval stays as it is:
 * `espalier optimize optimizers/notes-guided-joint.ts`; on MTRAG with `--trainset mtrag`.
 */
import { study } from "espalier";
import { decisionFit, gepa, inTurn } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import type { AnsweringOptions } from "./support/notes-guided-answering.ts";
import {
  answeringBudget,
  judgingAndAnswering,
  notesGuidedAnswering,
  onMtrag,
} from "./support/notes-guided-answering.ts";

const components = judgingAndAnswering.map((name) => `instruction:${name}`);

export default async (parts: Parts) => {
  const on = async (given?: AnsweringOptions) => ({
    name: "notes-guided-joint",
    ...(await notesGuidedAnswering(parts, { ...given, routing: "weighed" })),
    optimizer: inTurn([gepa({ components, budget: { metricCalls: 2_500 } }), decisionFit()], {
      budget: answeringBudget,
    }),
  });
  return study({
    ...(await on()),
    variants: onMtrag(async (data) => study(await on({ data }))),
  });
};
