import type { Metric, Trainset } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { Optimizer } from "../optimizer/index.ts";
import type { TunableProgram } from "../program/index.ts";

/** A program, the data it is judged on, and what good means: all that a command needs. */
export interface Study<TInput = unknown, TOutput = unknown, TLabels = unknown> {
  /** Kebab-case; names the study in reports. */
  readonly name: string;
  readonly program: TunableProgram<TInput, TOutput>;
  readonly trainset: Trainset<TInput, TLabels>;
  readonly objective: Metric<TInput, TOutput, TLabels>;
  /** What `espalier optimize` runs. @default gepa() */
  readonly optimizer?: Optimizer;
  /** The same study on other data, by name; made only when asked for, with `--trainset NAME`. */
  readonly variants?: Readonly<Record<string, () => Study | Promise<Study>>>;
}

const brand = Symbol.for("espalier.study");

/**
 * Ties the parts together; a file that default-exports one can be given to every command. Input and
 * output are the program's, labels the trainset's: the objective must fit both.
 */
export function study<TInput, TOutput, TLabels>(parts: {
  readonly name: string;
  readonly program: TunableProgram<TInput, TOutput>;
  readonly trainset: Trainset<NoInfer<TInput>, TLabels>;
  readonly objective: Metric<NoInfer<TInput>, NoInfer<TOutput>, NoInfer<TLabels>>;
  readonly optimizer?: Optimizer;
  readonly variants?: Readonly<Record<string, () => Study | Promise<Study>>>;
}): Study<TInput, TOutput, TLabels> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(parts.name)) {
    throw new EspalierError({
      code: "study-invalid",
      problem: "A study is declared wrongly",
      expected: "a name in kebab-case",
      got: `"${parts.name}"`,
    });
  }
  return Object.freeze(Object.defineProperty({ ...parts }, brand, { value: true }));
}

/** Whether a value was made by `study()`, also by another installed copy of the package. */
export function isStudy(value: unknown): value is Study {
  return typeof value === "object" && value !== null && brand in value;
}
