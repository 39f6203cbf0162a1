import type { Parameter } from "../../program/index.ts";

export type NumberRange = Extract<Parameter, { readonly min: number }>;

/**
 * The value at a place of a number's range, from 0 for its least to 1 for its most: even steps are
 * even differences, on a log scale even ratios. Real numbers have six digits, which is what a
 * person reads.
 */
export function valueAt({ kind, min, max, isLogScale }: NumberRange, place: number): number {
  const value = isLogScale ? min * (max / min) ** place : min + (max - min) * place;
  return kind === "int" ? withinInts(Math.round(value), { min, max }) : within(value, { min, max });
}

/**
 * The value that a draw from [0, 1) stands for. Each whole number has the same share of the range,
 * on a log scale that between it and the next, so that the ends are not drawn half as often as the
 * others.
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
