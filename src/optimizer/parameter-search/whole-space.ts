import type { Parameter } from "../../program/index.ts";
import type { Grid } from "./grid.ts";
import { gridOf } from "./grid.ts";
import type { Tunable } from "./tunable.ts";

/** Larger spaces are not enumerated. */
const mostCounted = 10_000;

/** All possible settings of some parameters; `null` if there are infinitely many, or too many. */
export function wholeSpace(tunables: readonly Tunable[]): Grid | null {
  const size = tunables.reduce((size, { parameter }) => size * valuesIn(parameter), 1);
  if (size > mostCounted) return null;
  return gridOf(
    tunables.map(({ parameter, ...tunable }) => ({
      ...tunable,
      values:
        parameter.kind === "choice"
          ? parameter.options
          : Array.from(
              { length: valuesIn(parameter) },
              (_, place) => Math.ceil(parameter.min) + place,
            ),
    })),
  );
}

function valuesIn(parameter: Parameter): number {
  if (parameter.kind === "choice") return parameter.options.length;
  const { kind, min, max } = parameter;
  return kind === "int" ? Math.floor(max) - Math.ceil(min) + 1 : Infinity;
}
