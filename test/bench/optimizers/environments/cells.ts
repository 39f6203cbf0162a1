import type { ActsOn, Environment } from "./environment.ts";
import { actsOnCounts } from "./environment.ts";
import type { Shape } from "./shape.ts";

/** A shape, a mock and a budget. */
export interface Cell<TEnvironment = Environment> {
  readonly shape: Shape<TEnvironment>;
  readonly actsOn: ActsOn;
  readonly metricCalls: number;
  /** Tasks and the run of each, in order. */
  readonly runs: readonly { readonly task: number; readonly run: number }[];
}

/** What was asked for; `null` takes what each shape has itself. */
export interface CellSelection {
  readonly shapes: readonly string[] | null;
  readonly budgets: readonly number[] | null;
  readonly tasks: readonly number[] | null;
  /** The most runs of each task. */
  readonly runsOfTask: number | null;
  /** `own`: the mock of each shape. */
  readonly actsOn: readonly (ActsOn | "own")[];
}

export function cellsOf<TEnvironment>(
  shapes: readonly Shape<TEnvironment>[],
  selection: CellSelection,
): readonly Cell<TEnvironment>[] {
  return shapes
    .filter(({ key }) => selection.shapes?.includes(key) ?? true)
    .flatMap((shape) =>
      [...new Set(selection.actsOn.map((one) => (one === "own" ? shape.actsOn : one)))].flatMap(
        (actsOn) =>
          shape.budgets
            .filter((budget) => selection.budgets?.includes(budget) ?? true)
            .map((metricCalls) => ({ shape, actsOn, metricCalls, runs: runsOf(shape, selection) })),
      ),
    );
}

function runsOf(
  { tasks, runsOfTask }: Shape<unknown>,
  { tasks: wanted, runsOfTask: most }: CellSelection,
): Cell["runs"] {
  const numbers = wanted ?? Array.from({ length: tasks }, (_, task) => task);
  return numbers.flatMap((task) => {
    if (runsOfTask === 1) return [{ task, run: task }];
    // The yardstick has so many tasks and no more.
    if (task >= tasks) return [];
    return Array.from({ length: Math.min(runsOfTask, most ?? Infinity) }, (_, run) => ({
      task,
      run,
    }));
  });
}

/** `0-23` or `0,3,5-7`; `null` if it is neither. */
export function wholeNumbers(text: string): readonly number[] | null {
  const parts = text.split(",").map((part) => /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(part));
  if (parts.includes(null)) return null;
  return parts.flatMap((part) => {
    const [first, last] = [Number(part?.[1]), Number(part?.[2] ?? part?.[1])];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  });
}

export function isActsOn(text: string): text is ActsOn | "own" {
  return text === "own" || text in actsOnCounts;
}
