import type { Point } from "./dimension.ts";
import type { JointSpace } from "./joint-space.ts";
import type { ParzenEstimator } from "./parzen-estimator.ts";
import { parzenEstimator } from "./parzen-estimator.ts";

/** Points drawn from the density of the good ones. */
const candidates = 24;

/**
 * The draw from the density of the good points at which it exceeds that of the others most: J.
 * Bergstra et al., "Algorithms for Hyper-Parameter Optimization", NIPS 2011.
 */
export function proposePoint(space: JointSpace, random: () => number): Point {
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
  return Array.from({ length: count }, (_, place) => {
    if (place >= older) return 1;
    return older === 1 ? 1 / count : 1 / count + ((1 - 1 / count) * place) / (older - 1);
  });
}
