import type { ParameterValue } from "../../../contract/index.ts";
import { getOwn } from "../../../internal/index.ts";
import type { Point, Dimension, Kernels } from "./kernels.ts";
import { choiceKernels, numberKernels } from "./kernels.ts";
import type { Setting, Tunable } from "../tunable.ts";
import { settingOf } from "../tunable.ts";
import type { Parameter } from "../../../program/index.ts";
import { sum } from "../../../statistics/index.ts";

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
    for (const [index, { name, parameter }] of group.entries()) {
      found.set(name, valueAt(parameter, point[index] as number));
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

/** Points drawn from the density of the good ones. */
const candidates = 24;

/**
 * The draw from the density of the good points at which it exceeds that of the others most: J.
 * Bergstra et al., "Algorithms for Hyper-Parameter Optimization", NIPS 2011.
 */
function proposePoint(space: JointSpace, random: () => number): Point {
  const { good, others } = densities(space);
  const drawn = good.draw(candidates, random);
  const gains = drawn.map((point) => good.logDensity(point) - others.logDensity(point));
  return drawn[gains.indexOf(Math.max(...gains))] as Point;
}

/** The densities of the good points and of the others; where there are none, of the prior alone. */
export function densities({ dimensions, tried }: JointSpace): {
  readonly good: ParzenEstimator;
  readonly others: ParzenEstimator;
} {
  const densityOf = (isGood: boolean): ParzenEstimator => {
    const points = tried.filter((one) => one.isGood === isGood).map(({ point }) => point);
    return parzenEstimator(dimensions, points, weightsByAge(points.length));
  };
  return { good: densityOf(true), others: densityOf(false) };
}

/** 1 for the last 25; those before rise evenly from 1 / count to 1. */
function weightsByAge(count: number): readonly number[] {
  const older = Math.max(0, count - 25);
  return Array.from({ length: count }, (_, index) => {
    if (index >= older) return 1;
    return older === 1 ? 1 / count : 1 / count + ((1 - 1 / count) * index) / (older - 1);
  });
}

/** A density over a space, estimated from points in it. */
interface ParzenEstimator {
  logDensity(point: Point): number;
  /**
   * Draws points: a kernel for each, then values of the choices, then those of the numbers,
   * dimension by dimension, from one uniform draw each.
   */
  draw(count: number, random: () => number): readonly Point[];
}

/**
 * A mixture of products of kernels, one for each observation and one for the prior: the
 * multivariate estimator of S. Falkner, A. Klein and F. Hutter, "BOHB", ICML 2018, with the kernels
 * and the draws of `_ParzenEstimator` of Optuna 5.0.0 (Akiba et al., KDD 2019).
 *
 * @param relative the weight of each observation; that of the prior is 1
 */
function parzenEstimator(
  dimensions: readonly Dimension[],
  observations: readonly Point[],
  relative: readonly number[],
): ParzenEstimator {
  const kernels = dimensions.map((dimension, index) =>
    kernelsOf(
      dimension,
      observations.map((point) => point[index] as number),
    ),
  );
  const raw = [...relative, 1];
  const total = sum(raw);
  const weights = raw.map((weight) => weight / total);
  const logWeights = weights.map(Math.log);
  const inDrawOrder = dimensions
    .map((_, index) => index)
    .toSorted((one, other) => rankOf(dimensions[one]) - rankOf(dimensions[other]));

  return {
    logDensity: (point) =>
      logOfSum(
        logWeights.map((logWeight, kernel) =>
          kernels.reduce(
            (log, along, index) => log + along.logDensity(kernel, point[index] as number),
            logWeight,
          ),
        ),
      ),
    draw: (count, random) => {
      const drawn = Array.from({ length: count }, () => drawnPlace(weights, random()));
      const points = drawn.map((): number[] => dimensions.map(() => 0));
      for (const position of inDrawOrder) {
        for (const [index, kernel] of drawn.entries()) {
          const value = (kernels[position] as Kernels).draw(kernel, random());
          (points[index] as number[])[position] = value;
        }
      }
      return points;
    },
  };
}

function kernelsOf(dimension: Dimension, observations: readonly number[]): Kernels {
  return dimension.kind === "choice"
    ? choiceKernels(dimension, observations)
    : numberKernels(dimension, observations);
}

function rankOf(dimension: Dimension | undefined): number {
  return dimension?.kind === "choice" ? 0 : 1;
}

/** A place with the probability of its weight. */
function drawnPlace(weights: readonly number[], share: number): number {
  let below = 0;
  const index = weights.findIndex((weight) => share < (below += weight));
  return index === -1 ? weights.length - 1 : index;
}

function logOfSum(logs: readonly number[]): number {
  const most = Math.max(...logs);
  return most === -Infinity ? most : most + Math.log(sum(logs.map((log) => Math.exp(log - most))));
}

/** A setting that was tried; parameters that did not matter in it are left out. */
export interface Trial {
  readonly setting: Setting;
  /** Higher is better. */
  readonly value: number;
}

/** The space of some parameters, with what was tried in it. */
interface JointSpace {
  readonly dimensions: readonly Dimension[];
  /** In the order of the trials. */
  readonly tried: readonly TriedPoint[];
}

interface TriedPoint {
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
function valueAt(parameter: Parameter, coordinate: number): ParameterValue {
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

/**
 * Splits parameters into groups that were active together or not at all in every trial, so that
 * each group has joint observations. After `_SearchSpaceGroup` of Optuna 5.0.0, which calls it
 * group decomposition.
 *
 * @param active names of the parameters of each trial, in the order of the trials
 */
function parameterGroups(active: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let groups: readonly (readonly string[])[] = [];
  for (const names of active) {
    let left = names;
    const next: (readonly string[])[] = [];
    for (const group of groups) {
      next.push(
        group.filter((name) => left.includes(name)),
        group.filter((name) => !left.includes(name)),
      );
      left = left.filter((name) => !group.includes(name));
    }
    groups = [...next, left].filter(({ length }) => length > 0);
  }
  return groups;
}
