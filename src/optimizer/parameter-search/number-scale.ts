import type { Parameter } from "../../program/index.ts";

export type NumberRange = Extract<Parameter, { readonly min: number }>;

/**
 * The value at a place in a number's range, from 0 for the minimum to 1 for the maximum: even steps
 * give even differences, or even ratios on a log scale. Real numbers are rounded to six significant
 * digits for readability.
 */
export function valueAt({ kind, min, max, isLogScale }: NumberRange, place: number): number {
  const value = isLogScale ? min * (max / min) ** place : min + (max - min) * place;
  return kind === "int" ? withinInts(Math.round(value), { min, max }) : within(value, { min, max });
}

/** The inverse of `valueAt`. */
export function placeOf({ min, max, isLogScale }: NumberRange, value: number): number {
  if (max === min) return 0;
  return isLogScale ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
}

/**
 * Maps a draw from [0, 1) to a value. Each whole number gets an equal share of the range; on a log
 * scale, its share spans from it to the next number. The ends are therefore not drawn half as often
 * as the others.
 */
export function drawnValue({ kind, min, max, isLogScale }: NumberRange, draw: number): number {
  if (kind === "real") return valueAt({ kind, min, max, isLogScale, default: min }, draw);
  const [least, beyond] = [Math.ceil(min), Math.floor(max) + 1];
  const value = isLogScale ? least * (beyond / least) ** draw : least + (beyond - least) * draw;
  return withinInts(Math.floor(value), { min, max });
}

interface Ends {
  readonly min: number;
  readonly max: number;
}

function withinInts(value: number, { min, max }: Ends): number {
  return Math.min(Math.floor(max), Math.max(Math.ceil(min), value));
}

function within(value: number, { min, max }: Ends): number {
  return Math.min(max, Math.max(min, Number(value.toPrecision(6))));
}

/** The value of a number's range that is nearest to a number. */
export function nearestValue({ kind, min, max }: NumberRange, value: number): number {
  return kind === "int" ? withinInts(Math.round(value), { min, max }) : within(value, { min, max });
}
