/**
 * Optimizes answerability and generation of the notes-guided system together for the
 * IDK-conditioned harmonic mean. NLP-CEIA-UFG optimized only for recall and left this to future
 * work. `espalier optimize optimizers/notes-guided-harmonic-mean.ts`
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import { notesGuidedAnswering } from "./support/notes-guided-answering.ts";

export default async (parts: Parts) =>
  study({
    name: "notes-guided-harmonic-mean",
    ...(await notesGuidedAnswering(parts)),
    optimizer: gepa({ budget: { metricCalls: 3_000 } }),
  });
