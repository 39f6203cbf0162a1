import type { ParameterValue } from "../../../contract/index.ts";
import { getOwn } from "../../../internal/index.ts";
import type { Kernels, Point } from "./kernels.ts";
import { choiceKernels, numberKernels } from "./kernels.ts";
import type { Setting, Tunable } from "../tunable.ts";
import { endsOf, settingOf } from "../tunable.ts";
import type { Parameter } from "../../../program/index.ts";
import { sum } from "../../../statistics/index.ts";

/** A setting that was tried; parameters that did not matter in it are left out. */
export interface Trial {
  readonly setting: Setting;
  /** Higher is better. */
  readonly value: number;
}

/** Points drawn from the density of the good ones. */
const candidates = 24;

/**
 * The setting to try next, as `TPESampler` of Optuna 5.0.0 with `multivariate` finds it, over all
 * parameters that can take several values, in the order of their names. A parameter that does not
 * matter in a trial has the program's own value there.
 *
 * It is the draw from the density of the good trials at which it exceeds that of the others most:
 * J. Bergstra et al., "Algorithms for Hyper-Parameter Optimization", NIPS 2011.
 *
 * @param trials in their order; at least one
 */
export function suggestSetting(
  tunables: readonly Tunable[],
  trials: readonly Trial[],
  random: () => number,
): Setting {
  const varied = tunables
    .filter(({ parameter }) => takesSeveral(parameter))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (varied.length === 0) return settingOf(tunables, ({ value }) => value);
  const { good, others } = densities(varied, trials);
  const drawn = good.draw(candidates, random);
  const gains = drawn.map((point) => good.logDensity(point) - others.logDensity(point));
  const point = drawn[gains.indexOf(Math.max(...gains))] as Point;
  const found = new Map(
    varied.map(({ name, parameter }, index) => [name, valueAt(parameter, point[index] as number)]),
  );
  return settingOf(tunables, ({ name, value }) => found.get(name) ?? value);
}

function takesSeveral(parameter: Parameter): boolean {
  if (parameter.kind === "choice") return parameter.options.length > 1;
  const [least, most] = endsOf(parameter);
  return least < most;
}

/** The value of a parameter at a coordinate. */
function valueAt(parameter: Parameter, coordinate: number): ParameterValue {
  return parameter.kind === "choice" ? (parameter.options[coordinate] as string) : coordinate;
}

function coordinateOf(parameter: Parameter, value: ParameterValue): number {
  return parameter.kind === "choice" ? parameter.options.indexOf(String(value)) : Number(value);
}

/**
 * The densities of the best tenth of all trials, at most 25, and of the others; where there are
 * none, of the prior alone.
 */
export function densities(
  tunables: readonly Tunable[],
  trials: readonly Trial[],
): { readonly good: ParzenEstimator; readonly others: ParzenEstimator } {
  const best = trials.toSorted((one, other) => other.value - one.value);
  const good = new Set(best.slice(0, Math.min(25, Math.ceil(0.1 * trials.length))));
  const pointOf = ({ setting }: Trial): Point =>
    tunables.map(({ name, parameter, value }) =>
      coordinateOf(parameter, getOwn<ParameterValue>(setting, name) ?? value),
    );
  const densityOf = (some: readonly Trial[]): ParzenEstimator =>
    parzenEstimator(
      tunables.map(({ parameter }) => parameter),
      some.map(pointOf),
    );
  return {
    good: densityOf(trials.filter((trial) => good.has(trial))),
    others: densityOf(trials.filter((trial) => !good.has(trial))),
  };
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
   * parameter by parameter, from one uniform draw each.
   */
  draw(count: number, random: () => number): readonly Point[];
}

/**
 * A mixture of products of kernels, one for each observation and one for the prior: the
 * multivariate estimator of S. Falkner, A. Klein and F. Hutter, "BOHB", ICML 2018, with the kernels
 * and the draws of `_ParzenEstimator` of Optuna 5.0.0 (Akiba et al., KDD 2019). The prior weighs 1.
 */
function parzenEstimator(
  parameters: readonly Parameter[],
  observations: readonly Point[],
): ParzenEstimator {
  const kernels = parameters.map((parameter, index): Kernels => {
    const along = observations.map((point) => point[index] as number);
    return parameter.kind === "choice"
      ? choiceKernels(parameter.options.length, along)
      : numberKernels(parameter, along);
  });
  const raw = [...weightsByAge(observations.length), 1];
  const total = sum(raw);
  const weights = raw.map((weight) => weight / total);
  const logWeights = weights.map(Math.log);
  const [choices, numbers] = [true, false].map((isChoice) =>
    [...parameters.keys()].filter((at) => (parameters[at]?.kind === "choice") === isChoice),
  ) as [number[], number[]];

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
      const points = drawn.map((): number[] => parameters.map(() => 0));
      for (const position of [...choices, ...numbers]) {
        for (const [index, kernel] of drawn.entries()) {
          const value = (kernels[position] as Kernels).draw(kernel, random());
          (points[index] as number[])[position] = value;
        }
      }
      return points;
    },
  };
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
