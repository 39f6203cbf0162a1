import type { ParameterValue } from "../../contract/index.ts";
import { parameterProblem } from "../../contract/index.ts";
import type { Parameters } from "../../program/index.ts";
import type { Compiled } from "../file/artifact.ts";
import type { Drift } from "./drift.ts";
import { changed } from "./drift.ts";

/**
 * Parameters that were added or removed, have another kind, or no longer allow the compiled value.
 * A changed range that still allows the value is not a drift, since the program runs with that
 * value.
 */
export function parameterDrift(
  { parameters: was, components }: Pick<Compiled, "parameters" | "components">,
  now: Parameters,
): readonly Drift[] {
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].flatMap(
    (name): readonly Drift[] => {
      const what = `parameter "${name}"`;
      const [before, after] = [was[name], now[name]];
      if (after === undefined) return [{ what, was: before?.kind ?? "", now: null }];
      if (before === undefined) return [{ what, was: null, now: after.kind }];
      if (before.kind !== after.kind) return changed(`kind of ${what}`, before.kind, after.kind);
      const value = valueOf(name, components);
      const admitted = value === undefined ? null : parameterProblem(after, value);
      if (admitted === null) return [];
      return [
        {
          what: `value of ${what}`,
          was: JSON.stringify(value),
          now: `no longer in its range: ${admitted}`,
        },
      ];
    },
  );
}

function valueOf(name: string, components: Compiled["components"]): ParameterValue | undefined {
  for (const component of components) {
    if (component.kind === "parameter" && component.path === name) return component.value;
  }
  return undefined;
}
