import type { Example } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { Evaluation, EvaluationRow } from "../evaluate/index.ts";
import { mean } from "../statistics/index.ts";
import type { ExperimentFigure } from "./experiment.ts";
import type { RowOutcome } from "./row-outcome.ts";

/** The outcome with an experiment's own figures among the further objectives of its scores. */
export function withFigures(outcome: RowOutcome, figures: readonly ExperimentFigure[]): RowOutcome {
  const { result, examples } = outcome;
  if ("notRun" in result || figures.length === 0) return outcome;
  const reported = [result.metric.name, ...Object.keys(result.objectives)];
  const taken = figures.find(({ name }) => reported.includes(name));
  if (taken !== undefined) {
    throw new EspalierError({
      code: "experiment-invalid",
      problem: "A figure has the same name as one of the row's metrics",
      where: `row ${outcome.name}`,
      expected: `a name other than ${reported.join(", ")}`,
      got: `"${taken.name}"`,
    });
  }
  const byId = new Map(examples.map((example) => [example.id, example]));
  const rows = result.rows.map((row) => withOwn(row, byId.get(row.exampleId), figures));
  const means = figures.flatMap(({ name }) => {
    const values = rows.flatMap(({ score }) =>
      score.kind === "scored" ? (score.objectives?.[name] ?? []) : [],
    );
    return values.length === 0 ? [] : [[name, mean(values)] as const];
  });
  const evaluation: Evaluation = {
    ...result,
    rows,
    objectives: { ...result.objectives, ...Object.fromEntries(means) },
  };
  return { ...outcome, result: evaluation };
}

function withOwn(
  row: EvaluationRow,
  example: Example | undefined,
  figures: readonly ExperimentFigure[],
): EvaluationRow {
  const { score, output } = row;
  if (score.kind !== "scored" || example === undefined) return row;
  const own = figures.flatMap(({ name, of }) => {
    const value = of({ example, output, score });
    if (value === null) return [];
    if (Number.isFinite(value)) return [[name, value] as const];
    throw new EspalierError({
      code: "experiment-invalid",
      problem: `The figure "${name}" of an example is no number`,
      where: `example ${example.id}`,
      expected: "a finite number, or null where the figure does not apply",
      got: String(value),
    });
  });
  const objectives = { ...score.objectives, ...Object.fromEntries(own) };
  return { ...row, score: { ...score, objectives } };
}
