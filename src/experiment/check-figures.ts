import { EspalierError } from "../errors/index.ts";
import type { Study } from "../study/index.ts";
import type { Experiment, ExperimentRow } from "./experiment.ts";
import { placeOfPublished } from "./published-figure.ts";

/**
 * Rejects figures that the table could not show, as far as names are known before a row is scored:
 * a metric tells its further objectives only with a score.
 *
 * @param study the variant that will run
 * @param declared the study that the row declares, whose objective may have another name
 * @throws EspalierError `experiment-invalid`
 */
export function checkFigures(
  { metrics, figures = [] }: Experiment,
  { name: row, published = [] }: ExperimentRow,
  {
    study,
    declared,
  }: {
    readonly study: Pick<Study, "objective" | "trainset">;
    readonly declared: Pick<Study, "objective">;
  },
): void {
  const objective = study.objective.name;
  const taken = figures.find(({ name }) => name === objective);
  if (taken !== undefined) {
    throw invalid(row, {
      problem: "A figure has the same name as the row's objective",
      expected: `\`figures\` with names other than "${objective}"`,
      got: `"${taken.name}"`,
    });
  }
  const places = Map.groupBy(published, (figure) =>
    placeOfPublished({ ...figure, metric: figure.metric ?? objective }),
  );
  for (const [place, beside] of places) {
    if (beside.length < 2) continue;
    throw invalid(row, {
      problem: "Two published figures stand beside one of ours",
      expected: `at most one for ${place}; the objective is "${objective}"`,
      got: beside.map(({ value, of }) => `${value} (${of})`).join(" and "),
    });
  }
  if (metrics === undefined) return;
  const shown = new Set([objective, declared.objective.name, ...metrics, ...namesOf(figures)]);
  const { name: own } = study.trainset;
  const unknown = published.find(
    ({ metric = objective, trainset = own }) => trainset === own && !shown.has(metric),
  );
  if (unknown === undefined) return;
  throw invalid(row, {
    problem: "A published figure matches none of the row's metrics",
    expected: `the objective, or a name in \`metrics\` or \`figures\`: ${[...shown].join(", ")}`,
    got: `"${unknown.metric}", ${unknown.value} (${unknown.of})`,
  });
}

function namesOf(named: readonly { readonly name: string }[]): readonly string[] {
  return named.map(({ name }) => name);
}

function invalid(
  row: string,
  report: { readonly problem: string; readonly expected: string; readonly got: string },
): EspalierError {
  return new EspalierError({ code: "experiment-invalid", where: `row "${row}"`, ...report });
}
