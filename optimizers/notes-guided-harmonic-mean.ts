/**
 * Lets GEPA write all instructions of the notes-guided system for the IDK-conditioned harmonic
 * mean. NLP-CEIA-UFG optimized only for recall and left this to future work. `espalier optimize
 * optimizers/notes-guided-harmonic-mean.ts`; on MTRAG with `--trainset mtrag`.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import type { AnsweringOptions } from "./support/notes-guided-answering.ts";
import {
  answeringBudget,
  notesGuidedAnswering,
  onMtrag,
} from "./support/notes-guided-answering.ts";

export default async (parts: Parts) => {
  const on = async (given?: AnsweringOptions) => ({
    name: "notes-guided-harmonic-mean",
    ...(await notesGuidedAnswering(parts, given)),
    optimizer: gepa({ budget: answeringBudget }),
  });
  return study({
    ...(await on()),
    variants: onMtrag(async (data) => study(await on({ data }))),
  });
};
