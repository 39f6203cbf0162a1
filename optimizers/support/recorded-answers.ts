import type { Study } from "espalier";
import { EspalierError, program, rankedPassages, study, text } from "espalier";
import { trainset } from "espalier/trainset";
import { z } from "zod";
import { recallWithFeedback } from "../../programs/notes-guided/index.ts";
import { recordedRagAnswers } from "../../trainsets/recorded/index.ts";
import { mtragTurns } from "./mtrag-data.ts";
import { recordedFile } from "./recorded-file.ts";

/**
 * Task C of MTRAG as it was recorded: for each turn of the folder in ESPALIER_MTRAG_DIR the five
 * passages that IBM's ELSER found over the whole collections, and an answer from them, from the
 * folder in ESPALIER_RECORDED_DIR. Searches nothing, so that no passage need be at hand.
 *
 * @throws EspalierError `file-missing`; `dataset-invalid` if a turn has no answer
 */
export async function recordedTaskC(): Promise<Study> {
  const path = recordedFile("mtrag_taskC_official_elser_top5_with_predictions.jsonl");
  const answers = new Map((await recordedRagAnswers(path)).map((row) => [row.taskId, row]));
  const { splits, checksum: _checksum, ...about } = await mtragTurns();
  const test = Object.values(splits)
    .flat()
    .map((turn) => {
      const recorded = answers.get(turn.id);
      if (recorded === undefined) throw withoutAnswer(turn.id, path);
      const found = recorded.ranking.map(({ id, score }) => ({ id, score, text: "" }));
      return { ...turn, input: { ...turn.input, found, answer: recorded.response } };
    });
  return study({
    name: "recorded-task-c",
    program: asRecorded,
    trainset: trainset({ ...about, name: "mtrag-recorded-answers", splits: { test } }),
    objective: recallWithFeedback({ k: 5, passageOf: () => undefined }),
  });
}

const turns = z.array(z.object({ speaker: z.enum(["user", "assistant"]), text: z.string() }));

/** Returns what its input holds. */
const asRecorded = program({
  name: "as-recorded",
  version: "1",
  input: {
    question: text("question"),
    history: turns.describe("Turns before the question."),
    found: rankedPassages(),
    answer: text("answer"),
  },
  output: { passages: rankedPassages(), answer: text("answer") },
  predictors: {},
  forward: async ({ found, answer }) => ({ passages: found, answer }),
});

function withoutAnswer(turn: string, path: string): EspalierError {
  return new EspalierError({
    code: "dataset-invalid",
    problem: `Turn \`${turn}\` of MTRAG has no recorded answer`,
    where: path,
    expected: "an answer for each turn",
    fix: "Name the release of MTRAG in ESPALIER_MTRAG_DIR that the answers were recorded for.",
  });
}
