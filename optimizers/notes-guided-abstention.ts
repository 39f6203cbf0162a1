/**
 * Searches for how sure the notes-guided system must be that there is no answer before it abstains,
 * using the IDK-conditioned harmonic mean: `espalier optimize
 * optimizers/notes-guided-abstention.ts`; on MTRAG with `--trainset mtrag`.
 */
import { study } from "espalier";
import { parameterSearch } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import type { AnsweringOptions } from "./support/notes-guided-answering.ts";
import { notesGuidedAnswering, onMtrag } from "./support/notes-guided-answering.ts";

export default async (parts: Parts) => {
  const on = async (given?: AnsweringOptions) => ({
    name: "notes-guided-abstention",
    ...(await notesGuidedAnswering(parts, given)),
    optimizer: parameterSearch({
      method: "grid",
      parameters: ["abstainBy", "abstentionThreshold"],
      values: { abstainBy: ["confidence"], abstentionThreshold: [0.2, 0.35, 0.5, 0.65, 0.8, 0.95] },
    }),
  });
  return study({
    ...(await on()),
    variants: onMtrag(async (data) => study(await on({ data }))),
  });
};
