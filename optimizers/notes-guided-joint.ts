/**
 * Searches instructions, demonstrations and label weights of what judges and answers in the
 * notes-guided system jointly, for the IDK-conditioned harmonic mean; retrieval stays as it is:
 * `espalier optimize optimizers/notes-guided-joint.ts`; on MTRAG with `--trainset mtrag`.
 */
import { study } from "espalier";
import { miproV2 } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import type { AnsweringOptions } from "./support/notes-guided-answering.ts";
import {
  answeringBudget,
  jointLevers,
  notesGuidedAnswering,
  onMtrag,
} from "./support/notes-guided-answering.ts";

export default async (parts: Parts) => {
  const on = async (given?: AnsweringOptions) => ({
    name: "notes-guided-joint",
    ...(await notesGuidedAnswering(parts, { ...given, routing: "weighed" })),
    optimizer: miproV2({
      budget: answeringBudget,
      // A right refusal scores 1, and few good answers reach the default of .7: all demonstrations
      // would be refusals.
      threshold: 0.5,
      components: jointLevers,
    }),
  });
  return study({
    ...(await on()),
    variants: onMtrag(async (data) => study(await on({ data }))),
  });
};
