import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Example, SplitName, Trainset } from "espalier";
import { EspalierError } from "espalier";
import { readJsonl, trainset } from "espalier/trainset";
import { z } from "zod";
import type { ConversationalInput, ConversationalLabels } from "../conversational.ts";
import { stratifiedSample } from "../stratified-sample.ts";

type MtragExample = Example<ConversationalInput, ConversationalLabels>;

/** Where the tasks are, in the assembled subset and in the public repository. */
const taskFiles = ["tasks.jsonl", "mtrag-human/generation_tasks/reference.jsonl"];

const words = z.array(z.string());
const taskRow = z.looseObject({
  task_id: z.string(),
  conversation_id: z.string(),
  Collection: z.string(),
  domain: z.string().optional(),
  input: z.array(z.object({ speaker: z.enum(["user", "agent"]), text: z.string() })).min(1),
  targets: z.array(z.object({ text: z.string() })),
  contexts: z.array(z.object({ document_id: z.string() })),
  answerability: words.optional(),
  question_type: words.optional(),
  // The public repository spells them so.
  Answerability: words.optional(),
  "Question Type": words.optional(),
});
type TaskRow = z.infer<typeof taskRow>;

export interface MtragOptions {
  /** Folder with `tasks.jsonl` and `splits.json`, or a checkout of IBM/mt-rag-benchmark. */
  readonly folder: string;
  /** Keeps a stratified sample of the training turns, as the paper's 50; absent: all. */
  readonly trainSample?: SampleOfTurns;
  /** The same of the val turns, which every accepted candidate is evaluated on. */
  readonly valSample?: SampleOfTurns;
}

interface SampleOfTurns {
  readonly count: number;
  readonly seed: number;
}

/**
 * MTRAG (Katsis et al. 2025, TACL 13:784-808): human multi-turn conversations over four corpora.
 * Apache-2.0; not shipped. Conversations are dealt to splits by `splits.json`, or, where it is absent,
 * by the rule in it: per domain, by the SHA-256 of the conversation's id, half train, a quarter val.
 *
 * @throws EspalierError `file-missing` when the folder is neither layout, `file-malformed` with the line,
 *   `dataset-invalid` when no task names a relevant passage
 */
export async function mtrag({
  folder,
  trainSample,
  valSample,
}: MtragOptions): Promise<Trainset<ConversationalInput, ConversationalLabels>> {
  const path = taskFiles.map((file) => join(folder, file)).find((file) => existsSync(file));
  if (path === undefined) throw notMtrag(folder);
  const rows = await readJsonl(path, taskRow);
  if (rows.every(({ contexts }) => contexts.length === 0)) throw notJudged(path, rows.length);
  const splitOf = await splitRule(folder, rows);
  const bySplit = (split: SplitName, sample?: SampleOfTurns): readonly MtragExample[] => {
    const all = rows.filter((row) => splitOf(row.conversation_id) === split).map(exampleOf);
    return sample === undefined ? all : stratifiedSample(all, { ...sample, stratum: stratumOf });
  };
  return trainset({
    name: "mtrag",
    version: "1",
    licence: "Apache-2.0; passages CC BY-SA, public domain and IBM Cloud docs",
    source: "IBM/mt-rag-benchmark",
    splits: {
      train: bySplit("train", trainSample),
      val: bySplit("val", valSample),
      test: bySplit("test"),
    },
  });
}

/** The paper's strata: collection x answerability x question type. */
function stratumOf({ labels }: MtragExample): string {
  return `${labels.collection}/${labels.answerability}/${labels.questionType}`;
}

function exampleOf(row: TaskRow): MtragExample {
  const turns = row.input.map(({ speaker, text }) => ({
    speaker: speaker === "agent" ? ("assistant" as const) : ("user" as const),
    text,
  }));
  return {
    id: row.task_id,
    cluster: row.conversation_id,
    input: { question: turns.at(-1)?.text ?? "", history: turns.slice(0, -1) },
    labels: {
      collection: domainOf(row),
      answerability: answerabilityOf(row),
      questionType: (row.question_type ?? row["Question Type"] ?? []).toSorted().join("+"),
      relevant: Object.fromEntries(row.contexts.map(({ document_id }) => [document_id, 1])),
      answer: row.targets[0]?.text ?? "",
    },
  };
}

const answerabilities = [
  "ANSWERABLE",
  "PARTIAL",
  "UNANSWERABLE",
  "UNDERSPECIFIED",
  "CONVERSATIONAL",
] as const;

function answerabilityOf(row: TaskRow): ConversationalLabels["answerability"] {
  const [given] = row.answerability ?? row.Answerability ?? [];
  const known = answerabilities.find((label) => label === given?.toUpperCase());
  // The official script treats a task without the label as answerable.
  return known ?? "ANSWERABLE";
}

function domainOf({ domain, Collection }: TaskRow): string {
  return (
    domain ??
    ["clapnq", "fiqa", "govt", "cloud"].find((name) => Collection.includes(name)) ??
    Collection
  );
}

const splitsFile = z.object({ train: words, dev: words, test: words });

async function splitRule(
  folder: string,
  rows: readonly TaskRow[],
): Promise<(conversationId: string) => SplitName | undefined> {
  const path = join(folder, "splits.json");
  const splits = new Map<string, SplitName>();
  if (existsSync(path)) {
    const { train, dev, test } = splitsFile.parse(JSON.parse(await readFile(path, "utf8")));
    for (const [split, ids] of Object.entries({ train, val: dev, test })) {
      for (const id of ids) splits.set(id, split as SplitName);
    }
  } else {
    for (const members of Map.groupBy(rows, domainOf).values()) {
      const ids = [...new Set(members.map((row) => row.conversation_id))].toSorted((left, right) =>
        hash(left) < hash(right) ? -1 : 1,
      );
      for (const [place, id] of ids.entries()) {
        const isTrain = place < halfToEven(0.5 * ids.length);
        splits.set(id, isTrain ? "train" : place < halfToEven(0.75 * ids.length) ? "val" : "test");
      }
    }
  }
  return (id) => splits.get(id);
}

/** The rule is Python's `round`. */
function halfToEven(value: number): number {
  const floor = Math.floor(value);
  return value - floor === 0.5 ? floor + (floor % 2) : Math.round(value);
}

function hash(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}

function notMtrag(folder: string): EspalierError {
  return new EspalierError({
    code: "file-missing",
    problem: "The MTRAG folder has no tasks",
    where: folder,
    expected: taskFiles.join(" or "),
    fix: "Name a checkout of IBM/mt-rag-benchmark with --mtrag-dir or ESPALIER_MTRAG_DIR",
  });
}

function notJudged(path: string, tasks: number): EspalierError {
  return new EspalierError({
    code: "dataset-invalid",
    problem: "The MTRAG tasks have no relevance judgements, so nothing can be judged by them",
    where: path,
    expected: "the relevant passages of a task in its `contexts`, by `document_id`",
    got: `${tasks} of ${tasks} tasks with empty \`contexts\``,
    fix: `Take the tasks with reference passages: ${taskFiles.join(" or ")}`,
  });
}
