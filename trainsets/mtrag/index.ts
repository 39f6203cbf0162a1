import type { Example, Passage, SplitName, Trainset } from "espalier";
import { readJsonl, trainset } from "espalier/trainset";
import type { ConversationalInput, ConversationalLabels } from "../conversational.ts";
import { stratifiedSample } from "../stratified-sample.ts";
import { dealConversations } from "./deal-conversations.ts";
import { readSplits } from "./read-splits.ts";
import { nameOf, releaseIn, splitsName } from "./release.ts";
import type { Relevance } from "./relevance.ts";
import { relevanceIn } from "./relevance.ts";
import { standaloneQuestions } from "./standalone-questions.ts";
import type { TaskRow } from "./task-row.ts";
import { answerabilityOf, domainOf, givenPassages, taskRow } from "./task-row.ts";

/** The labels of MTRAG; collections are named as their files are, `ibmcloud` as `cloud`. */
export interface MtragLabels extends ConversationalLabels {
  /** The types that `questionType` joins, sorted; the benchmark counts a turn in each. */
  readonly questionTypes: readonly string[];
  /** Place of the question among the user's, from 1. */
  readonly turn: string;
  /**
   * Whether the question makes sense without the conversation: the first of a conversation does,
   * and so does one that the set's human rewrite leaves as it is.
   */
  readonly dependence: "standalone" | "dependent" | "unknown";
}

/** Task B, and Task C from given passages: the input holds the passages to answer from. */
export interface GroundedInput extends ConversationalInput {
  readonly passages: readonly Passage[];
}

export interface MtragOptions {
  /**
   * A checkout of IBM/mt-rag-benchmark, of which `mtrag-human` is read; `mtrag-human` or
   * `mtragun-human` (MTRAG-UN) in it; or a folder with `tasks.jsonl` or `reference.jsonl`, `qrels/`
   * and `splits.json`.
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
 * MTRAG-UN, the later release, is the trainset `mtrag-un`. Apache-2.0; not included. If there are
 * qrels, they define relevance: a turn without them has no relevant passages and does not count in
 * retrieval metrics. Without qrels, the passages listed with a turn that is not underspecified are
 * taken for them, and `note` says so. A set without `splits.json` is all test, unless
 * `withoutSplits` deals it: per domain, by the SHA-256 of the conversation's id, half train, a
 * quarter val.
 *
 * @throws EspalierError `file-missing` if the folder has none of the layouts; `file-malformed` with
 * the line, also if two qrels files contradict each other or `splits.json` cannot be read;
 * `dataset-invalid` if no task is judged
 */
export async function mtrag(
  options: MtragOptions,
): Promise<Trainset<ConversationalInput, MtragLabels>> {
  return load(options, "", ({ question, history }) => ({ question, history }));
}

/**
 * The same turns with the passages that the set lists with each as input, which the benchmark calls
 * the reference setting (Task B); none where it lists none. The trainset is
 * `mtrag-with-passages` or `mtrag-un-with-passages`.
 *
 * @throws EspalierError as `mtrag`; `dataset-invalid` if a passage is listed without its text
 */
export async function mtragWithPassages(
  options: MtragOptions,
): Promise<Trainset<GroundedInput, MtragLabels>> {
  return load(options, "-with-passages", (given, row) => ({
    ...given,
    passages: givenPassages(row),
  }));
}

async function load<TInput extends ConversationalInput>(
  { folder, withoutSplits = "test", note = () => {}, trainSample, valSample }: MtragOptions,
  suffix: "" | "-with-passages",
  inputOf: (given: ConversationalInput, row: TaskRow) => TInput,
): Promise<Trainset<TInput, MtragLabels>> {
  const release = releaseIn(folder);
  const rows = await readJsonl(release.tasks, taskRow);
  const standalone = await standaloneQuestions(release.rewrites);
  const relevance = await relevanceIn(release, rows);
  const splits = await splitsOf(release.splits, rows, withoutSplits === "deal");
  const unsplit = rows.filter((row) => !splits.has(row.conversation_id));
  const examples = rows.map((row) => exampleOf(row, { relevance, standalone, inputOf }));
  const judged = examples.filter(hasRelevantPassage).length;
  if (release.passedOver.length > 0) {
    note(
      `The folder holds several releases: ${release.name} is read, not ${release.passedOver.join(" or ")}. To read another, name its folder.`,
    );
  }
  if (release.qrels.length === 0) {
    note(
      "There are no qrels: the passages listed with each turn stand in for them, except for underspecified turns. Retrieval figures are not benchmark figures.",
    );
  }
  note(
    `${judged} of ${rows.length} turns are judged for retrieval; the others count only for answers.`,
  );
  if (withoutSplits === "test" && release.splits === undefined) {
    note(
      `There is no ${splitsName}: all turns are in test. To optimize on them, set \`withoutSplits: "deal"\`.`,
    );
  }
  if (unsplit.length > 0) {
    const conversations = new Set(unsplit.map((row) => row.conversation_id));
    note(
      `${splitsName} lacks ${conversations.size} of the conversations, such as \`${[...conversations][0]}\`: ${unsplit.length} turns are in no split.`,
    );
  }
  const bySplit = (split: SplitName, sample?: SampleOfTurns) => {
    const all = examples.filter(({ cluster = "" }) => splits.get(cluster) === split);
    return sample === undefined ? all : stratifiedSample(all, { ...sample, stratum: stratumOf });
  };
  return trainset({
    name: `${nameOf(release, rows)}${suffix}`,
    version: "2",
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
function hasRelevantPassage({ labels }: Example<unknown, MtragLabels>): boolean {
  return Object.values(labels.relevant).some((grade) => grade > 0);
}

/** The paper's strata: collection x answerability x question type. */
function stratumOf({ labels }: Example<unknown, MtragLabels>): string {
  return `${labels.collection}/${labels.answerability}/${labels.questionType}`;
}

interface ReadParts<TInput> {
  readonly relevance: Relevance;
  /** Human rewrites by task. */
  readonly standalone: ReadonlyMap<string, string>;
  readonly inputOf: (given: ConversationalInput, row: TaskRow) => TInput;
}

function exampleOf<TInput>(
  row: TaskRow,
  { relevance, standalone, inputOf }: ReadParts<TInput>,
): Example<TInput, MtragLabels> {
  const turns = row.input.map(({ speaker, text }) => ({
    speaker: speaker === "agent" ? ("assistant" as const) : ("user" as const),
    text,
  }));
  const question = turns.at(-1)?.text ?? "";
  const history = turns.slice(0, -1);
  const rewrite = standalone.get(row.task_id);
  const types = (row.question_type ?? row["Question Type"] ?? []).toSorted();
  const isStandalone = history.length === 0 || rewrite === question.trim();
  return {
    id: row.task_id,
    cluster: row.conversation_id,
    input: inputOf({ question, history }, row),
    labels: {
      collection: domainOf(row),
      answerability: answerabilityOf(row),
      questionType: types.join("+"),
      questionTypes: types,
      relevant: relevance(row),
      answer: row.targets[0]?.text ?? "",
      turn: String(turns.filter(({ speaker }) => speaker === "user").length),
      dependence: isStandalone ? "standalone" : rewrite === undefined ? "unknown" : "dependent",
      ...(rewrite !== undefined && { standalone: rewrite }),
    },
  };
}

async function splitsOf(
  path: string | undefined,
  rows: readonly TaskRow[],
  isDealt: boolean,
): Promise<ReadonlyMap<string, SplitName>> {
  if (path !== undefined) return readSplits(path);
  return isDealt
    ? dealConversations(rows.map((row) => ({ id: row.conversation_id, domain: domainOf(row) })))
    : new Map(rows.map((row) => [row.conversation_id, "test"]));
}
