import type { ParameterValue } from "../../../contract/index.ts";
import { getOwn } from "../../../internal/index.ts";
import type { Parameter } from "../../../program/index.ts";
import type { Setting } from "../setting.ts";
import type { Tunable } from "../tunable.ts";
import type { Dimension, Point } from "./dimension.ts";

/** A setting that was tried; parameters that did not matter in it are left out. */
export interface Trial {
  readonly setting: Setting;
  /** Higher is better. */
  readonly value: number;
}

/** The space of some parameters, with what was tried in it. */
export interface JointSpace {
  readonly dimensions: readonly Dimension[];
  /** In the order of the trials. */
  readonly tried: readonly TriedPoint[];
}

export interface TriedPoint {
  readonly point: Point;
  /** Whether its trial is among the best tenth, at most 25, of all. */
  readonly isGood: boolean;
}

/** Trials in which one of the parameters did not matter are left out. */
export function jointSpace(
  parameters: readonly Pick<Tunable, "name" | "parameter">[],
  trials: readonly Trial[],
): JointSpace {
  const best = trials.toSorted((one, other) => other.value - one.value);
  const good = new Set(best.slice(0, Math.min(25, Math.ceil(0.1 * trials.length))));
  return {
    dimensions: parameters.map(({ parameter }) => dimensionOf(parameter)),
    tried: trials
      .filter(({ setting }) => parameters.every(({ name }) => Object.hasOwn(setting, name)))
      .map((trial) => ({
        point: parameters.map(({ name, parameter }) =>
          coordinateOf(parameter, getOwn(trial.setting, name) as ParameterValue),
        ),
        isGood: good.has(trial),
      })),
  };
}

/** The value of a parameter at a coordinate. */
export function valueAt(parameter: Parameter, coordinate: number): ParameterValue {
  return parameter.kind === "choice" ? (parameter.options[coordinate] as string) : coordinate;
}

function coordinateOf(parameter: Parameter, value: ParameterValue): number {
  return parameter.kind === "choice" ? parameter.options.indexOf(String(value)) : Number(value);
}

function dimensionOf(parameter: Parameter): Dimension {
  if (parameter.kind === "choice") return { kind: "choice", options: parameter.options.length };
  const { kind, min, max, isLogScale } = parameter;
  const isWhole = kind === "int";
  const [low, high] = isWhole ? [Math.ceil(min), Math.floor(max)] : [min, max];
  return { kind: "number", low, high, isLogScale, isWhole };
}
