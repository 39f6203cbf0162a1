import type { ParameterValue } from "../../../contract/index.ts";
import type { Setting } from "../setting.ts";
import type { Tunable } from "../tunable.ts";
import { settingOf } from "../tunable.ts";
import type { Trial } from "./joint-space.ts";
import { jointSpace, valueAt } from "./joint-space.ts";
import { parameterGroups } from "./parameter-groups.ts";
import { proposePoint } from "./propose-point.ts";

/**
 * The setting to try next: the point that `proposePoint` finds for each group of parameters, in the
 * order of their names; a parameter that no trial has comes from its prior. As `TPESampler` of
 * Optuna 5.0.0 with `multivariate` and `group`.
 *
 * @param trials in their order; at least one
 */
export function suggestSetting(
  tunables: readonly Tunable[],
  trials: readonly Trial[],
  random: () => number,
): Setting {
  const varied = new Map(
    tunables.filter(({ parameter }) => takesSeveral(parameter)).map((one) => [one.name, one]),
  );
  const found = new Map<string, ParameterValue>();
  const propose = (names: readonly string[]): void => {
    const group = names.map((name) => varied.get(name) as Tunable);
    const point = proposePoint(jointSpace(group, trials), random);
    for (const [place, { name, parameter }] of group.entries()) {
      found.set(name, valueAt(parameter, point[place] as number));
    }
  };
  const mattering = trials.map(({ setting }) =>
    Object.keys(setting).filter((name) => varied.has(name)),
  );
  for (const group of parameterGroups(mattering)) propose(group.toSorted());
  return settingOf(tunables, ({ name, value }) => {
    if (varied.has(name) && !found.has(name)) propose([name]);
    return found.get(name) ?? value;
  });
}

function takesSeveral(parameter: Tunable["parameter"]): boolean {
  return parameter.kind === "choice"
    ? parameter.options.length > 1
    : parameter.kind === "int"
      ? Math.ceil(parameter.min) < Math.floor(parameter.max)
      : parameter.min < parameter.max;
}
