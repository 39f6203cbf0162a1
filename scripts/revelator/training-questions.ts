import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Trainset } from "espalier";
import { EspalierError } from "espalier";
import { jsonRows } from "espalier/trainset";
import { z } from "zod";
import { derivedQuestions, questionsOf } from "../../optimizers/support/multi-hop-data.ts";
import { fourShelvesQuestions } from "../../trainsets/four-shelves/index.ts";
import { readQuestions } from "../../trainsets/multi-hop/layouts/index.ts";
import { questionFiles } from "../../trainsets/multi-hop/question-files.ts";
import type { SetQuestion } from "../../trainsets/multi-hop/set-question.ts";
import type { QuestionSetName } from "../../trainsets/multi-hop/index.ts";
import { questionSets } from "../../trainsets/multi-hop/index.ts";
import { wordingOf } from "../../trainsets/wording-of.ts";
import type { Taught } from "./labelled-decisions.ts";
import type { HeldOut } from "./revelator-rows.ts";

/** The sets that the paper trains with, and those whose questions it also routes (section 4.2). */
const taughtBy = {
  musique: true,
  "2wikimultihopqa": false,
  nq: true,
  squad: true,
  triviaqa: true,
  compound: true,
} as const satisfies Partial<Readonly<Record<QuestionSetName, boolean>>>;
type TaughtSet = keyof typeof taughtBy;

export interface TrainingQuestions {
  /** The sets with a training file. */
  readonly sets: readonly string[];
  /** Where each question of val and test of the studies' trainsets is from, by its wording. */
  readonly heldOut: HeldOut;
  readonly read: () => AsyncGenerator<SetQuestion & { readonly taught: Taught }>;
}

/**
 * Questions to train the Revelator with, from the training files in ESPALIER_MULTIHOP_DIR, without
 * those that the studies' trainsets take for val; and what they hold out. Val depends on
 * ESPALIER_MULTIHOP_SAMPLE, so evaluate with the value that this ran with.
 *
 * @throws EspalierError `file-missing` if no set has a training file; `file-malformed`
 */
export async function trainingQuestions(folder: string): Promise<TrainingQuestions> {
  const heldOut = new Map<string, string>();
  const heldIds = new Map<string, ReadonlySet<string>>();
  const holdOut = (
    set: string,
    { splits }: Pick<Trainset<{ readonly question: string }, unknown>, "splits">,
  ) => {
    const ids = new Set<string>();
    for (const split of ["val", "test"] as const)
      for (const { id, cluster = id, input } of splits[split]) {
        ids.add(id).add(cluster);
        heldOut.set(wordingOf(input.question), `${split} question \`${id}\` of ${set}`);
      }
    heldIds.set(set, ids);
  };
  holdOut("four-shelves", await fourShelvesQuestions());
  for (const set of Object.keys(questionSets) as QuestionSetName[]) {
    const loaded = set === "questions" ? undefined : await unlessMissing(() => questionsOf(set));
    if (loaded !== undefined) holdOut(set, loaded.trainset);
  }
  for (const name of ["single-hop", "compound-triples"] as const) {
    const loaded = await unlessMissing(() => derivedQuestions(name));
    if (loaded !== undefined) holdOut(name, loaded.trainset);
  }
  const trained = Object.keys(taughtBy).flatMap((name) => {
    const set = name as TaughtSet;
    const files = heldIds.has(set) ? questionFiles(folder, set).train : [];
    return files.length > 0 ? [{ set, files }] : [];
  });
  const common = ["train_rand_split.jsonl", "commonsenseqa/train_rand_split.jsonl"]
    .map((file) => join(folder, file))
    .find((file) => existsSync(file));
  const sets = [...trained.map(({ set }) => set), ...(common ? ["CommonsenseQA"] : [])];
  if (sets.length === 0) {
    throw new EspalierError({
      code: "file-missing",
      problem: "No set has a training file",
      where: folder,
      expected: `the training and dev files of ${Object.keys(taughtBy).join(", ")}`,
    });
  }
  return {
    sets,
    heldOut,
    async *read() {
      for (const { set, files } of trained) {
        const held = heldIds.get(set);
        const taught = { route: questionSets[set].route, router: taughtBy[set] };
        for (const file of files)
          for await (const question of readQuestions(file)) {
            const { id, cluster = id, answers } = question;
            // MuSiQue repeats an id for the unanswerable twin of a question.
            if (answers.length === 0 || held?.has(id) || held?.has(cluster)) continue;
            yield { ...question, taught };
          }
      }
      if (common !== undefined) yield* commonsenseQuestions(common);
    },
  };
}

const commonsenseRow = z.looseObject({
  id: z.string(),
  question: z.looseObject({ stem: z.string() }),
});

/** CommonsenseQA, whose 9,741 training questions need no search. */
async function* commonsenseQuestions(
  path: string,
): AsyncGenerator<SetQuestion & { readonly taught: Taught }> {
  for await (const { row } of jsonRows(path, commonsenseRow)) {
    yield {
      id: row.id,
      question: row.question.stem,
      answers: [],
      type: "",
      paragraphs: [],
      support: [],
      steps: [],
      taught: { route: "straightforward", router: true },
    };
  }
}

async function unlessMissing<TValue>(load: () => Promise<TValue>): Promise<TValue | undefined> {
  try {
    return await load();
  } catch (error) {
    if (EspalierError.isInstance(error) && error.code === "file-missing") return undefined;
    throw error;
  }
}
