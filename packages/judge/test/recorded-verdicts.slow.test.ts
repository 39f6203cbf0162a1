import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { asksBackByRule, declinesByRule } from "../src/lexical-generation-quality.ts";
import { sharedData } from "../../../test/support/shared-data.ts";

interface Judged {
  readonly taskId: string;
  readonly response: string;
  /** The judge's word that the response declines altogether. */
  readonly declines: boolean;
}

const files = {
  ragu: sharedData("mtrag-eval/generation_metrics_ragu.jsonl"),
  tristan: sharedData("mtrag-eval/generation_metrics_tristan.jsonl"),
  synthetic: sharedData("mtrag-eval/synthetic_evaluations.jsonl.gz"),
  human: sharedData("mtrag-eval/reference_subset_with_human_evaluations.json"),
  tasks: sharedData("mtrag/tasks.jsonl"),
};
const note = files.ragu.note;

test.skipIf(files.ragu.isAbsent)(
  `tells what declines as recorded judges do, on conversations that its rules were not written from, too${note}`,
  async () => {
    const rows = await judgedResponses();
    const [seen, heldOut] = [rows.filter((row) => !isHeldOut(row)), rows.filter(isHeldOut)];
    expect(figuresOf(rows)).toEqual({ responses: 6750, judged: 129, said: 119, both: 105 });
    expect(figuresOf(heldOut)).toEqual({ responses: 3016, judged: 54, said: 55, both: 45 });
    // Before the clauses were told apart: .817 and .773 on those seen, .789 and .833 on those held
    // out.
    expect(precisionAndRecall(seen)).toEqual({ precision: 0.938, recall: 0.8 });
    expect(precisionAndRecall(heldOut)).toEqual({ precision: 0.818, recall: 0.833 });
  },
);

test.skipIf(files.tasks.isAbsent)(
  `takes the references of unanswerable turns for declining, and no others${files.tasks.note}`,
  async () => {
    const tasks = await lines<Task>(files.tasks.file);
    const declined = (label: string): readonly string[] =>
      tasks.flatMap(({ answerability, targets }) =>
        answerability[0] === label ? [String(declinesByRule(targets[0]?.text ?? ""))] : [],
      );
    const unanswerable = declined("UNANSWERABLE");
    expect(unanswerable).toHaveLength(55);
    expect(unanswerable.filter((verdict) => verdict !== "0").length).toBeGreaterThanOrEqual(53);
    expect(declined("ANSWERABLE").filter((verdict) => verdict === "1")).toEqual([]);
  },
);

test.skipIf(files.ragu.isAbsent || files.tasks.isAbsent)(
  `takes hardly any recorded answer for a question back, and the references that ask${note}`,
  async () => {
    const tasks = await lines<Task>(files.tasks.file);
    // Read one by one: of 842 these ask, and one more in words that no rule has.
    expect(
      tasks.filter(({ targets }) => asksBackByRule(targets[0]?.text ?? "") === 1).map(opening),
    ).toEqual([
      "I'm sorry to hear that you're having tro",
      "Of course! I'm here to help. However, I ",
      "The steps differ depending on whether yo",
    ]);
    const rows = await judgedResponses();
    const asking = rows.filter(({ response }) => asksBackByRule(response) === 1);
    // 232 before: "The bank can provide interest every quarter."
    expect(asking.length).toBeLessThanOrEqual(12);
  },
);

interface Task {
  readonly answerability: readonly string[];
  readonly targets: readonly { readonly text: string }[];
}

function opening({ targets }: Task): string {
  return (targets[0]?.text ?? "").slice(0, 40);
}

/** By conversation, so that no turn of a conversation is on both sides. */
function isHeldOut({ taskId }: Judged): boolean {
  const [conversation = ""] = taskId.split("<::>");
  return (createHash("sha256").update(conversation).digest()[0] ?? 0) % 2 === 1;
}

function figuresOf(rows: readonly Judged[]) {
  const says = ({ response }: Judged): boolean => declinesByRule(response) === 1;
  return {
    responses: rows.length,
    judged: rows.filter(({ declines }) => declines).length,
    said: rows.filter(says).length,
    both: rows.filter((row) => row.declines && says(row)).length,
  };
}

function precisionAndRecall(rows: readonly Judged[]) {
  const { judged, said, both } = figuresOf(rows);
  return { precision: rounded(both / said), recall: rounded(both / judged) };
}

function rounded(value: number): number {
  return Math.round(1000 * value) / 1000;
}

async function judgedResponses(): Promise<readonly Judged[]> {
  type Scored = { task_id: string; prediction: string; metrics?: { idk_eval?: readonly number[] } };
  type Conditioned = {
    task_id: string;
    response: string;
    answerability: readonly string[];
    metrics: { conditional_idk: number };
  };
  const scored = [
    ...(await lines<Scored>(files.ragu.file)),
    ...(await lines<Scored>(files.tristan.file)),
  ].flatMap(({ task_id, prediction, metrics }): readonly Judged[] => {
    const [verdict] = metrics?.idk_eval ?? [];
    return verdict === undefined
      ? []
      : [{ taskId: task_id, response: prediction, declines: verdict === 1 }];
  });
  const conditioned = (await lines<Conditioned>(files.synthetic.file)).map(
    ({ task_id, response, answerability, metrics }) => ({
      taskId: task_id,
      response,
      declines: declinesWhere(answerability[0], metrics.conditional_idk),
    }),
  );
  return [...scored, ...conditioned, ...(await humanReadResponses())];
}

async function humanReadResponses(): Promise<readonly Judged[]> {
  const { tasks, evaluations } = JSON.parse(await readFile(files.human.file, "utf8")) as {
    tasks: readonly { task_id: string; Answerability: readonly string[] }[];
    evaluations: readonly {
      task_id: string;
      model_response: string;
      annotations: { conditional_idk: { composite: { value: number } } };
    }[];
  };
  const labels = new Map(tasks.map(({ task_id, Answerability }) => [task_id, Answerability[0]]));
  return evaluations.flatMap(({ task_id, model_response, annotations }): readonly Judged[] => {
    const label = labels.get(task_id);
    // Thanks and farewells are conditioned as what cannot be answered is, and decline nothing.
    return label === "CONVERSATIONAL"
      ? []
      : [
          {
            taskId: task_id,
            response: model_response,
            declines: declinesWhere(label, annotations.conditional_idk.composite.value),
          },
        ];
  });
}

/**
 * Rightly declined, or wrongly: what `conditional_idk` says depends on what there was to answer.
 */
function declinesWhere(answerability: string | undefined, conditioned: number): boolean {
  return answerability === "UNANSWERABLE" ? conditioned === 1 : conditioned === 0;
}

async function lines<TRow>(file: string): Promise<readonly TRow[]> {
  const content = await readFile(file);
  const text = file.endsWith(".gz") ? gunzipSync(content).toString() : content.toString();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as TRow);
}
