/**
 * Task C of NLP-CEIA-UFG, the whole notes-guided system, on four shelves; on MTRAG with
 * `--trainset mtrag`. Judged by the judge LM of the servers file: `espalier eval
 * optimizers/notes-guided-task-c.ts --trainset mtrag --collections answerability`.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import { mtragData, mtragTogether } from "./support/mtrag-data.ts";
import { notesGuidedAnswering } from "./support/notes-guided-answering.ts";

export default async (parts: Parts) => {
  const on = async (given?: Parameters<typeof notesGuidedAnswering>[1]) => ({
    name: "notes-guided-task-c",
    ...(await notesGuidedAnswering(parts, given)),
    optimizer: gepa({ budget: { metricCalls: 3_000 } }),
  });
  return study({
    ...(await on()),
    variants: {
      mtrag: async () => study(await on({ data: await mtragData() })),
      "mtrag-together": async () => study(await on({ data: await mtragTogether() })),
      "mtrag-as-authors": async () =>
        study(await on({ data: await mtragData(), samples: "as-authors" })),
    },
  });
};
