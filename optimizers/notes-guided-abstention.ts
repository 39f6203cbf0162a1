/**
 * Searches for how sure the notes-guided system must be that there is no answer before it abstains,
 * using the IDK-conditioned harmonic mean: `espalier optimize
 * optimizers/notes-guided-abstention.ts`
 */
import { study } from "espalier";
import { parameterSearch } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import { notesGuidedAnswering } from "./support/notes-guided-answering.ts";

export default async (parts: Parts) =>
  study({
    name: "notes-guided-abstention",
    ...(await notesGuidedAnswering(parts)),
    optimizer: parameterSearch({
      method: "grid",
      parameters: ["abstainBy", "abstentionThreshold"],
      values: { abstainBy: ["confidence"], abstentionThreshold: [0.2, 0.35, 0.5, 0.65, 0.8, 0.95] },
    }),
  });
