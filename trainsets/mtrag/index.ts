import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Example, SplitName, Trainset } from "espalier";
import { EspalierError } from "espalier";
import { readJsonl, trainset } from "espalier/trainset";
import { z } from "zod";
import type { ConversationalInput, ConversationalLabels } from "../conversational.ts";
import { stratifiedSample } from "../stratified-sample.ts";
import { dealConversations } from "./deal-conversations.ts";
import { readSplits } from "./read-splits.ts";
import type { Relevance } from "./relevance.ts";
import { relevanceIn } from "./relevance.ts";

type MtragExample = Example<ConversationalInput, ConversationalLabels>;

/** Location of the tasks in the assembled subset, the later release and the public repository. */
const taskFiles = [
  "tasks.jsonl",
  "reference.jsonl",
  "mtrag-human/generation_tasks/reference.jsonl",
];

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
  // The public repository's spelling.
  Answerability: words.optional(),
  "Question Type": words.optional(),
});
type TaskRow = z.infer<typeof taskRow>;

export interface MtragOptions {
  /**
   * Folder with `tasks.jsonl` and `splits.json`, with `reference.jsonl` and `qrels/` of the later
   * release (MT-RAG 2.0), or a checkout of IBM/mt-rag-benchmark.
   */
  readonly folder: string;
  /** How to split a set without `splits.json`. @default "test", all of it */
  readonly withoutSplits?: "test" | "deal";
  /**
   * Receives a sentence that says which tasks were judged and how they were split. @default none
   */
  readonly note?: (sentence: string) => void;
  /** Keeps a stratified sample of the training turns, such as the paper's 50; absent: all. */
  readonly trainSample?: SampleOfTurns;
  /** The same for the val turns, on which every accepted candidate is evaluated. */
  readonly valSample?: SampleOfTurns;
}

interface SampleOfTurns {
  readonly count: number;
  readonly seed: number;
}

/**
 * MTRAG (Katsis et al. 2025, TACL 13:784-808): human multi-turn conversations over four corpora.
 * Apache-2.0; not included. If there are qrels, they define relevance: a turn without them has no
 * relevant passages and does not count in retrieval metrics. A set without `splits.json` is all
 * test, unless `withoutSplits` deals it: per domain, by the SHA-256 of the conversation's id, half
 * train, a quarter val.
 *
 * @throws EspalierError `file-missing` if the folder has none of the layouts; `file-malformed` with
 * the line, also if two qrels files contradict each other or `splits.json` cannot be read;
 * `dataset-invalid` if no task is judged
 */
export async function mtrag({
  folder,
  withoutSplits = "test",
  note = () => {},
  trainSample,
  valSample,
}: MtragOptions): Promise<Trainset<ConversationalInput, ConversationalLabels>> {
  const path = taskFiles.map((file) => join(folder, file)).find((file) => existsSync(file));
  if (path === undefined) throw notMtrag(folder);
  const rows = await readJsonl(path, taskRow);
  const relevance = await relevanceIn(folder, path, rows);
  const splits = await splitsOf(folder, rows, withoutSplits === "deal");
  const unsplit = rows.filter((row) => !splits.has(row.conversation_id));
  const examples = rows.map((row) => exampleOf(row, relevance));
  const judged = examples.filter(hasRelevantPassage).length;
  note(
    `${judged} of ${rows.length} turns are judged for retrieval; the others count for answers alone.`,
  );
  if (withoutSplits === "test" && !existsSync(join(folder, splitsName))) {
    note(`There is no ${splitsName}: all turns are test. To optimize on them, have them dealt.`);
  }
  if (unsplit.length > 0) {
    const conversations = new Set(unsplit.map((row) => row.conversation_id));
    note(
      `${splitsName} lacks ${conversations.size} of the conversations, such as \`${[...conversations][0]}\`: ${unsplit.length} turns are in no split.`,
    );
  }
  const bySplit = (split: SplitName, sample?: SampleOfTurns): readonly MtragExample[] => {
    const all = examples.filter(({ cluster = "" }) => splits.get(cluster) === split);
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

/** Grade 0 means judged and not relevant; no retrieval metric counts it. */
function hasRelevantPassage({ labels }: MtragExample): boolean {
  return Object.values(labels.relevant).some((grade) => grade > 0);
}

/** The paper's strata: collection x answerability x question type. */
function stratumOf({ labels }: MtragExample): string {
  return `${labels.collection}/${labels.answerability}/${labels.questionType}`;
}

function exampleOf(row: TaskRow, relevance: Relevance): MtragExample {
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
      relevant: relevance(row),
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

const splitsName = "splits.json";

async function splitsOf(
  folder: string,
  rows: readonly TaskRow[],
  isDealt: boolean,
): Promise<ReadonlyMap<string, SplitName>> {
  const path = join(folder, splitsName);
  if (existsSync(path)) return readSplits(path);
  return isDealt
    ? dealConversations(rows.map((row) => ({ id: row.conversation_id, domain: domainOf(row) })))
    : new Map(rows.map((row) => [row.conversation_id, "test"]));
}

function notMtrag(folder: string): EspalierError {
  return new EspalierError({
    code: "file-missing",
    problem: "The MTRAG folder has no tasks",
    where: folder,
    expected: taskFiles.join(" or "),
    fix: "Point --mtrag-dir or ESPALIER_MTRAG_DIR to a checkout of IBM/mt-rag-benchmark",
  });
}
