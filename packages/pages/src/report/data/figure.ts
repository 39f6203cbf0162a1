import type { Interval } from "../../../../../src/statistics/index.ts";
import type { ComparedSpending } from "../../../../../src/report/index.ts";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const minus = "−";

/** A score or another measure: three decimals up to 1, fewer above. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  const text = size <= 1 ? size.toFixed(3) : size < 1000 ? tenths.format(size) : whole.format(size);
  return value < 0 ? `${minus}${text}` : text;
}

/** A difference, with its sign. */
export function signed(value: number): string {
  return value > 0 ? `+${figure(value)}` : figure(value);
}

export function intervalText(interval: Interval | null): string {
  return interval === null ? "no interval" : `${figure(interval.low)} to ${figure(interval.high)}`;
}

export function wholeNumber(value: number): string {
  return whole.format(value);
}

/** `1 case`, `2 cases`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${whole.format(count)} ${count === 1 ? one : several}`;
}

export function dollars(value: number): string {
  return `$${value < 0.1 ? value.toFixed(4) : value.toFixed(2)}`;
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${whole.format(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 120) return `${tenths.format(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 120 ? `${tenths.format(minutes)} min` : `${tenths.format(minutes / 60)} h`;
}

/** What a source cost, in a few words; empty where nothing is known. */
export function costText({ spent, costUsd, elapsedMs }: ComparedSpending): string {
  return [
    spent && counted(spent.metricCalls, "metric call"),
    spent && `${whole.format(spent.tokens)} tokens`,
    costUsd !== null && dollars(costUsd),
    elapsedMs !== null && duration(elapsedMs),
  ]
    .filter((part) => typeof part === "string")
    .join(", ");
}
