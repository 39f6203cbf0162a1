import type { Example } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { EvaluationRow } from "../evaluate/index.ts";
import { labelTexts } from "../trainset/index.ts";
import { byGroup } from "./by-group.ts";
import type { Breakdown } from "./experiment.ts";
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
    readonly metrics: readonly string[] | undefined;
    readonly resamples: number;
    /** Those of each outcome, with the metrics that they are of. */
    readonly published: readonly (readonly PublishedFigure[])[];
  },
): BreakdownTable {
  const lines = outcomes.flatMap(({ name: row, study, examples, result }, place) => {
    if (study === undefined || "notRun" in result) return [];
    const { resamples } = options;
    const groupsOf = groupsIn(name, by);
    const groups = byGroup(result, { examples, metric: study.objective, groupsOf, resamples });
    return [...groups].map(([group, evaluation]) => ({
      group,
      row,
      examples: evaluation.rows.length,
      clusters: new Set(evaluation.rows.map(({ cluster }) => cluster)).size,
      figures: figuresOf(evaluation, options).map(({ evaluation: _evaluation, ...figure }) => {
        const theirs = published[place]?.find(
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
      problem: `The breakdown "${name}" does not name the group of an example`,
      where: `example ${example.id}`,
      expected: "text, a list of texts, or null to leave the example out",
      got: groups.map((group) => typeof group).join(", "),
    });
  };
}
