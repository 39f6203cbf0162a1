import type { PublishedFigure } from "espalier";

/** One line of a table of HANRAG's paper, in percent but for the steps. */
export interface AnswerLine {
  readonly em: number;
  readonly f1: number;
  readonly accuracy: number;
  readonly steps: number;
}

/** The line as figures of `token_f1` and the rest: as shares, and steps negated. */
export function publishedAnswers(
  { em, f1, accuracy, steps }: AnswerLine,
  about: { readonly table: number; readonly differs: string; readonly trainset?: string },
): readonly PublishedFigure[] {
  const { table, ...rest } = about;
  const share = (percent: number): number => Number((percent / 100).toFixed(4));
  return [
    { value: share(f1), metric: "token_f1", of: `table ${table}, F1`, ...rest },
    { value: share(em), metric: "exact_match", of: `table ${table}, EM`, ...rest },
    { value: share(accuracy), metric: "accuracy", of: `table ${table}, Acc`, ...rest },
    { value: -steps, metric: "negated_steps", of: `table ${table}, Steps`, ...rest },
  ];
}
