import type { Example, Metric } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { Evaluation, EvaluationRow } from "../evaluate/index.ts";
import { summarize } from "../evaluate/index.ts";
import { labelTexts } from "../trainset/index.ts";
import type { Breakdown, ExperimentFigure } from "./experiment.ts";
import type { PublishedFigure } from "./published-figure.ts";
import type { Figure } from "./row-figures.ts";
import { figuresOf } from "./row-figures.ts";
import type { RowOutcome } from "./row-outcome.ts";

/** The figures of each row in each group. */
export interface BreakdownTable {
  readonly name: string;
  readonly groups: readonly {
    readonly group: string;
    readonly row: string;
    /** Examples in the group, and the clusters that they form. */
    readonly examples: number;
    readonly clusters: number;
    /** The objective first. */
    readonly figures: readonly (Figure & { readonly published?: PublishedFigure })[];
  }[];
}

/** Rows without a result are left out; a group that a row lacks has no line. */
export function breakdownTable(
  { name, by }: Breakdown,
  outcomes: readonly RowOutcome[],
  {
    published,
    ...options
  }: {
    readonly resamples: number;
    /** The experiment's own figures. */
    readonly own: readonly ExperimentFigure[];
    /** Those of each outcome, with the metrics that they are of. */
    readonly published: readonly (readonly PublishedFigure[])[];
  },
): BreakdownTable {
  const lines = outcomes.flatMap(({ name: row, study, examples, result }, index) => {
    if ("notRun" in result) return [];
    const { resamples } = options;
    const groupsOf = groupsIn(name, by);
    const groups = byGroup(result, { examples, metric: study.objective, groupsOf, resamples });
    return [...groups].map(([group, evaluation]) => ({
      group,
      row,
      examples: evaluation.rows.length,
      clusters: new Set(evaluation.rows.map(({ cluster }) => cluster)).size,
      figures: figuresOf(evaluation, study.objective, options).map((each) => {
        const { evaluation: _evaluation, aggregate: _aggregate, ...figure } = each;
        const theirs = published[index]?.find(
          (each) =>
            each.metric === figure.metric &&
            each.group?.breakdown === name &&
            each.group.name === group,
        );
        return { ...figure, ...(theirs !== undefined && { published: theirs }) };
      }),
    }));
  });
  const order = [...new Set(lines.map(({ group }) => group))].toSorted((left, right) =>
    left.localeCompare(right, "en", { numeric: true }),
  );
  return {
    name,
    groups: order.flatMap((group) => lines.filter((line) => line.group === group)),
  };
}

function groupsIn(
  name: string,
  by: Breakdown["by"],
): (row: EvaluationRow, example: Example) => readonly string[] {
  return ({ output, score }, example) => {
    const named: unknown =
      typeof by === "string" ? labelTexts(example, by) : by({ example, output, score });
    if (named === null) return [];
    const groups: readonly unknown[] = Array.isArray(named) ? named : [named];
    if (groups.every((group) => typeof group === "string")) return groups;
    throw new EspalierError({
      code: "experiment-invalid",
      problem: `The breakdown "${name}" returned no valid group for an example`,
      where: `example ${example.id}`,
      expected: "a string, a list of strings, or null to leave the example out",
      got: groups.map((group) => typeof group).join(", "),
    });
  };
}

interface ByGroupOptions {
  /** All evaluated examples, in any order. */
  readonly examples: readonly Example[];
  /** The metric of the evaluation: its aggregate, if it has one, is that of each group. */
  readonly metric: Metric;
  /** Names the groups of a row, which counts once in each; none leaves it out. */
  readonly groupsOf: (row: EvaluationRow, example: Example) => readonly string[];
  /** Bootstrap resamples for the intervals; 0 omits them. @default 10_000 */
  readonly resamples?: number;
}

/**
 * The evaluation of each group of rows alone, groups in order of their names, numbers by size. The
 * intervals resample the clusters that have a row in the group. Unlike `byCollection`, which
 * follows MTRAG's script, nothing is computed over the groups.
 *
 * @throws EspalierError `dataset-invalid` when a row's example is not among `examples`
 */
export function byGroup(
  evaluation: Evaluation,
  { examples, metric, groupsOf, resamples = 10_000 }: ByGroupOptions,
): ReadonlyMap<string, Evaluation> {
  const byId = new Map(examples.map((example) => [example.id, example]));
  const grouped = evaluation.rows.flatMap((row) => {
    const example = byId.get(row.exampleId) ?? unknownExample(row);
    return [...new Set(groupsOf(row, example))].map((group) => ({ group, row, example }));
  });
  const groups = [...Map.groupBy(grouped, ({ group }) => group)].toSorted(([left], [right]) =>
    left.localeCompare(right, "en", { numeric: true }),
  );
  const { coverageFloor, seed } = evaluation;
  return new Map(
    groups.map(([group, members]) => {
      const rows = members.map(({ row }) => row);
      const figures = summarize({
        rows,
        examples: members.map(({ example }) => example),
        metric,
        coverageFloor,
        resamples,
        seed,
      });
      return [group, Object.freeze({ ...evaluation, ...figures, rows: Object.freeze(rows) })];
    }),
  );
}

function unknownExample({ exampleId }: EvaluationRow): never {
  throw new EspalierError({
    code: "dataset-invalid",
    problem: "A row of the evaluation belongs to an example that was not passed",
    expected: "all evaluated examples",
    got: `a row for \`${exampleId}\``,
  });
}
