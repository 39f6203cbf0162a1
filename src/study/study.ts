import { isKebabCase, opened } from "../internal/index.ts";
import type { Gold, Metric, Trainset } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { MetricDefinition } from "../metric/index.ts";
import { metric } from "../metric/index.ts";
import type { Optimizer } from "../optimizer/index.ts";
import type { TunableProgram } from "../program/index.ts";

/** A program, its evaluation data and its objective: everything that a command needs. */
export interface Study<TInput = unknown, TOutput = unknown, TLabels = unknown> {
  /** Kebab-case; names the study in reports. */
  readonly name: string;
  readonly program: TunableProgram<TInput, TOutput>;
  readonly trainset: Trainset<TInput, TLabels>;
  readonly objective: Metric<TInput, TOutput, TLabels>;
  /**
   * What labels know of single predictors, so that an optimizer finds out which is at fault, and
   * shows right outputs. Labels named like outputs are shown without it.
   */
  readonly gold?: Gold<TInput, TLabels>;
  /** What `espalier optimize` runs. @default autoSearch() */
  readonly optimizer?: Optimizer;
  /** The same study on other data, by name; created only on request, with `--trainset NAME`. */
  readonly variants?: Readonly<Record<string, () => Study | Promise<Study>>>;
  /**
   * What the study's file has opened: tools of a server, an index, a pool of connections. A command
   * disposes of them once it is done, however it ends; other code does so itself.
   */
  readonly resources?: readonly (Disposable | AsyncDisposable)[];
}

const brand = Symbol.for("espalier.study");

/**
 * Combines the parts into a study; every command accepts a file that default-exports one. Input and
 * output types come from the program and labels from the trainset: the objective must fit both.
 */
export function study<TInput, TOutput, TLabels, TPredictor extends string>(parts: {
  readonly name: string;
  readonly program: TunableProgram<TInput, TOutput> & {
    readonly predictors: Readonly<Record<TPredictor, unknown>>;
  };
  readonly trainset: Trainset<NoInfer<TInput>, TLabels>;
  /** A metric, or what `metric()` takes, whose types then follow from program and trainset. */
  readonly objective:
    | Metric<NoInfer<TInput>, NoInfer<TOutput>, NoInfer<TLabels>>
    | MetricDefinition<NoInfer<TInput>, NoInfer<TOutput>, NoInfer<TLabels>, NoInfer<TPredictor>>;
  readonly gold?: Gold<NoInfer<TInput>, NoInfer<TLabels>>;
  readonly optimizer?: Optimizer;
  readonly variants?: Readonly<Record<string, () => Study | Promise<Study>>>;
  readonly resources?: readonly (Disposable | AsyncDisposable)[];
}): Study<TInput, TOutput, TLabels> {
  // Before anything is refused: they are open already.
  for (const resource of parts.resources ?? []) {
    checkDisposable(resource);
    opened.add(resource);
  }
  if (!isKebabCase(parts.name)) {
    throw new EspalierError({
      code: "study-invalid",
      problem: "The study is invalid",
      expected: "a name in kebab-case",
      got: `"${parts.name}"`,
    });
  }
  const unknown = Object.keys(parts.gold ?? {}).find((name) => !(name in parts.program.predictors));
  if (unknown !== undefined) {
    throw new EspalierError({
      code: "study-invalid",
      problem: `The study "${parts.name}" has gold for a predictor that its program does not have`,
      expected: Object.keys(parts.program.predictors)
        .map((name) => `\`${name}\``)
        .join(", "),
      got: `\`${unknown}\``,
    });
  }
  const given = parts.objective;
  const objective = "score" in given ? metric(given) : given;
  return Object.freeze(Object.defineProperty({ ...parts, objective }, brand, { value: true }));
}

/** Whether `study()` made this value, in this or another installed copy of the package. */
export function isStudy(value: unknown): value is Study {
  return typeof value === "object" && value !== null && brand in value;
}

function checkDisposable(resource: unknown): void {
  const isDisposable = [Symbol.asyncDispose, Symbol.dispose].some(
    (dispose) => typeof Object(resource)[dispose] === "function",
  );
  if (isDisposable) return;
  throw new EspalierError({
    code: "study-invalid",
    problem: "A resource of the study cannot be disposed of",
    expected: "an object with `[Symbol.asyncDispose]` or `[Symbol.dispose]`",
    got: resource === null ? "null" : typeof resource,
  });
}
