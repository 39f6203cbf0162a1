import type { PublishedFigure } from "espalier";

/** One line of a table of HANRAG's paper, in percent but for the steps; absent is what it lacks. */
export interface AnswerLine {
  readonly em?: number;
  readonly f1?: number;
  readonly accuracy?: number;
  readonly steps?: number;
}

/** The line as figures of `token_f1` and the rest: as shares, and steps negated. */
export function publishedAnswers(
  { em, f1, accuracy, steps }: AnswerLine,
  about: { readonly table: number; readonly differs: string; readonly trainset?: string },
): readonly PublishedFigure[] {
  const { table, ...rest } = about;
  const share = (percent: number): number => Number((percent / 100).toFixed(4));
  const figure = (value: number, metric: string, column: string): PublishedFigure => ({
    value,
    metric,
    of: `table ${table}, ${column}`,
    ...rest,
  });
  return [
    ...(f1 === undefined ? [] : [figure(share(f1), "token_f1", "F1")]),
    ...(em === undefined ? [] : [figure(share(em), "exact_match", "EM")]),
    ...(accuracy === undefined ? [] : [figure(share(accuracy), "accuracy", "Acc")]),
    ...(steps === undefined ? [] : [figure(0 - steps, "negated_steps", "Steps")]),
  ];
}
