/**
 * Task C of NLP-CEIA-UFG, the whole notes-guided system, on four shelves; on MTRAG with
 * `--trainset mtrag`. Judged by the judge LM of the servers file: `espalier eval
 * optimizers/notes-guided-task-c.ts --trainset mtrag --collections answerability`.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import { mtragData } from "./support/mtrag-data.ts";
import type { AnsweringOptions } from "./support/notes-guided-answering.ts";
import {
  answeringBudget,
  notesGuidedAnswering,
  onMtrag,
} from "./support/notes-guided-answering.ts";

export default async (parts: Parts) => {
  const on = async (given?: AnsweringOptions) => ({
    name: "notes-guided-task-c",
    ...(await notesGuidedAnswering(parts, given)),
    optimizer: gepa({ budget: answeringBudget }),
  });
  return study({
    ...(await on()),
    variants: {
      ...onMtrag(async (data) => study(await on({ data }))),
      "mtrag-as-authors": async () =>
        study(await on({ data: await mtragData(), samples: "as-authors" })),
    },
  });
};
