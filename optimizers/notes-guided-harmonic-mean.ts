/**
 * Optimizes answerability and generation of the notes-guided system together, for the IDK-conditioned
 * harmonic mean: what NLP-CEIA-UFG left to future work, having optimized for recall alone.
 * `espalier optimize optimizers/notes-guided-harmonic-mean.ts`
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import { notesGuidedAnswering } from "./support/notes-guided-answering.ts";

export default study({
  name: "notes-guided-harmonic-mean",
  ...(await notesGuidedAnswering()),
  optimizer: gepa({ budget: { metricCalls: 3_000 } }),
});
