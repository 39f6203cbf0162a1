import type { Example, Metric } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { Evaluation, EvaluationRow } from "../evaluate/index.ts";
import { summarize } from "../evaluate/index.ts";

export interface ByGroupOptions {
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
