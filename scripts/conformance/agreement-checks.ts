import type { IdkVerdict } from "@espalier/judge";
import { answerabilityOf, conditioned, lexicalAgreementOf, rbAggOf } from "@espalier/judge";
import { rougeLOf, tokenOverlapOf } from "espalier/metric";
import type { ConformanceCheck } from "./check.ts";
import { agreeing, isNear } from "./check.ts";
import type { ReferenceSubset, SyntheticRow, SyntheticTask } from "./published-rows.ts";
import {
  evaluatedFiles,
  evaluatedResponses,
  referenceSubsetFile,
  syntheticFile,
  syntheticTasksFile,
} from "./published-rows.ts";

interface OfficialExamples {
  readonly rb_agg: readonly {
    readonly BertscoreR: number | null;
    readonly Recall: number;
    readonly RougeL: number;
    readonly BertKPrec: readonly (number | null)[];
    readonly RB_agg: number;
  }[];
}

const official = "mtrag-eval/official_examples.json";

export const agreementChecks: readonly ConformanceCheck[] = [
  {
    name: "RB_agg: official function",
    tolerance: "1e-9",
    files: [official],
    run: async (data) =>
      agreeing((await data.json<OfficialExamples>(official)).rb_agg, (row) =>
        isNear(
          rbAggOf({
            bertRecall: row.BertscoreR,
            tokenRecall: row.Recall,
            rougeL: row.RougeL,
            bertPrecisions: row.BertKPrec,
          }),
          row.RB_agg,
        ),
      ),
  },
  {
    name: "RB_agg: 5,000 published synthetic rows",
    tolerance: "1e-9",
    files: [syntheticFile],
    run: async (data) =>
      agreeing(await data.lines<SyntheticRow>(syntheticFile), (row) =>
        isNear(publishedAgreement(row), row.metrics.rb_agg),
      ),
  },
  {
    name: "RB_agg: generation_metrics_*",
    tolerance: "1e-9, where 10 decimals are recorded",
    files: evaluatedFiles,
    run: async (data) =>
      agreeing(await evaluatedResponses(data), ({ metrics }) =>
        isNear(
          rbAggOf({
            bertRecall: metrics.BertscoreR[0],
            tokenRecall: metrics.Recall[0],
            rougeL: metrics.RougeL_stemFalse[0],
            bertPrecisions: metrics.BertKPrec ?? [],
          }),
          metrics.RB_agg[0],
        ),
      ),
  },
  {
    name: "RB_agg: reference subset with human evaluations",
    tolerance: "1e-9",
    files: [referenceSubsetFile],
    run: async (data) => {
      const { tasks, evaluations } = await data.json<ReferenceSubset>(referenceSubsetFile);
      const labels = new Map(tasks.map((task) => [task.task_id, task.Answerability]));
      return agreeing(evaluations, ({ task_id, annotations }) => {
        const read = (name: string): number =>
          Object.values(annotations[name] ?? {})[0]?.value ?? NaN;
        const ours = publishedAgreement({
          answerability: labels.get(task_id) ?? [""],
          metrics: {
            RougeL: read("RougeL"),
            "Bert-Rec": read("Bert-Rec"),
            "Bert-KPrec": read("Bert-KPrec"),
            conditional_idk: read("conditional_idk") === 1 ? 1 : 0,
          },
        });
        return isNear(ours, read("rb_agg"));
      });
    },
  },
  {
    name: "ROUGE-L: generation_metrics_*",
    tolerance: "1e-9, where 10 decimals are recorded",
    files: evaluatedFiles,
    run: async (data) =>
      agreeing(await evaluatedResponses(data), ({ prediction, target, metrics }) =>
        isNear(rougeLOf(prediction, target), metrics.RougeL_stemFalse[0]),
      ),
  },
  {
    name: "token recall: generation_metrics_*",
    tolerance: "1e-9, where 10 decimals are recorded",
    files: evaluatedFiles,
    run: async (data) =>
      agreeing(await evaluatedResponses(data), ({ prediction, target, metrics }) =>
        isNear(tokenOverlapOf(prediction, target).recall, metrics.Recall[0]),
      ),
  },
  {
    name: "ROUGE-L: 5,000 published synthetic rows",
    tolerance: "1e-9",
    files: [syntheticFile, syntheticTasksFile],
    run: async (data) => {
      const rows = await data.lines<SyntheticRow>(syntheticFile);
      const tasks = byId(await data.lines<SyntheticTask>(syntheticTasksFile));
      return agreeing(rows, ({ task_id, response, metrics }) =>
        isNear(rougeLOf(response, tasks.get(task_id)?.targets[0].text ?? ""), metrics.RougeL),
      );
    },
  },
  {
    name: "lexical proxy: correlation with RB_agg, and order of systems",
    tolerance: ".005 of the published r = .964, measured there over 5,805 responses",
    isSlow: true,
    files: [syntheticFile, syntheticTasksFile],
    run: async (data) => {
      const rows = await data.lines<SyntheticRow>(syntheticFile);
      const tasks = byId(await data.lines<SyntheticTask>(syntheticTasksFile));
      // Conditioned values say nothing about the words, and a reference compares only with itself.
      const compared = rows.flatMap(({ task_id, model_id, response, metrics }) => {
        const task = tasks.get(task_id);
        if (model_id === "reference" || metrics.conditional_idk === 0) return [];
        if (task === undefined || !isNear(rawAgreement(metrics), metrics.rb_agg)) return [];
        const passages = task.contexts.map(({ text }) => text);
        const reference = task.targets[0].text;
        const ours = lexicalAgreementOf({ response, reference, passages });
        return [{ model_id, ours, theirs: metrics.rb_agg }];
      });
      const r = correlation(compared);
      const order = (side: "ours" | "theirs"): string =>
        [...Map.groupBy(compared, ({ model_id }) => model_id)]
          .map(([model, group]) => ({ model, mean: meanOf(group.map((row) => row[side])) }))
          .toSorted((left, right) => right.mean - left.mean)
          .map(({ model }) => model)
          .join(" > ");
      const held = [isNear(r, 0.964, 0.005), order("ours") === order("theirs")];
      return {
        passed: held.filter(Boolean).length,
        total: held.length,
        note: `r = ${r.toFixed(4)} over ${compared.length} responses`,
      };
    },
  },
];

type PublishedParts = Pick<SyntheticRow, "answerability"> & {
  readonly metrics: Omit<SyntheticRow["metrics"], "rb_agg">;
};

/** RB_agg as published there: conditioned on whether the response declined correctly. */
function publishedAgreement({ answerability, metrics }: PublishedParts): number {
  const label = answerabilityOf({ answerability });
  const isRight = metrics.conditional_idk === 1;
  const mustDecline = label === "UNANSWERABLE" || label === "CONVERSATIONAL";
  const idk: IdkVerdict = mustDecline === isRight ? 1 : 0;
  const raw = rawAgreement(metrics);
  return conditioned({ raw, answerability: label, idk, clarification: 0 }) ?? NaN;
}

function rawAgreement(metrics: PublishedParts["metrics"]): number {
  return rbAggOf({
    bertRecall: metrics["Bert-Rec"],
    tokenRecall: 0,
    rougeL: metrics.RougeL,
    bertPrecisions: [metrics["Bert-KPrec"]],
  });
}

function byId(tasks: readonly SyntheticTask[]): ReadonlyMap<string, SyntheticTask> {
  return new Map(tasks.map((task) => [task.task_id, task]));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Pearson's correlation coefficient. */
function correlation(rows: readonly { readonly ours: number; readonly theirs: number }[]): number {
  const [x, y] = [meanOf(rows.map(({ ours }) => ours)), meanOf(rows.map(({ theirs }) => theirs))];
  const sum = (of: (dx: number, dy: number) => number): number =>
    rows.reduce((total, { ours, theirs }) => total + of(ours - x, theirs - y), 0);
  return sum((dx, dy) => dx * dy) / Math.sqrt(sum((dx) => dx * dx) * sum((_, dy) => dy * dy));
}
