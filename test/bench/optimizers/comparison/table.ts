import type { Interval } from "espalier/evaluate";
import { ourNames } from "../engines/engines.ts";
import type { EngineFigures } from "./cell-figures.ts";

export interface CellRow {
  readonly shape: string;
  readonly about: string;
  readonly actsOn: string;
  readonly metricCalls: number;
  readonly engines: readonly EngineFigures[];
}

export const tableHead =
  "shape                      acts on  calls   engine                                       runs  val    test   95 %            ours less it on test          calls   texts  ms";

export function cellLines({ shape, actsOn, metricCalls, engines }: CellRow): readonly string[] {
  return engines.map((one) =>
    [
      shape.padEnd(27),
      actsOn.padEnd(9),
      String(metricCalls).padEnd(8),
      one.engine.padEnd(45),
      String(one.runs).padEnd(6),
      fixed(one.val).padEnd(7),
      fixed(one.test).padEnd(7),
      within(one.interval, fixed).padEnd(16),
      (one.ahead === undefined
        ? ""
        : `${signed(one.ahead.difference)} ${within(one.ahead.interval, signed)}`
      ).padEnd(30),
      one.metricCalls.toFixed(0).padEnd(8),
      one.texts.toFixed(1).padEnd(7),
      one.wallMs.toFixed(0).padEnd(6),
      Object.entries(one.ended)
        .map(([why, count]) => `${why} ${count}`)
        .join(", "),
    ]
      .join("")
      .trimEnd(),
  );
}

/** Where another search of equal caps is above ours by more than the interval, a sentence each. */
export function lostCells(rows: readonly CellRow[]): readonly string[] {
  return rows.flatMap(({ shape, actsOn, metricCalls, engines }) =>
    engines.flatMap(({ engine, ahead }) =>
      engine !== ourNames.halfTheTexts && ahead?.interval && ahead.interval.high < 0
        ? [
            `${shape}, acts on ${actsOn}, ${metricCalls} calls: ${engine} is ${fixed(-ahead.difference)} above ours`,
          ]
        : [],
    ),
  );
}

function within(interval: Interval | null, shown: (value: number) => string): string {
  return interval === null ? "" : `[${shown(interval.low)}, ${shown(interval.high)}]`;
}

function fixed(value: number): string {
  return value.toFixed(3);
}

function signed(value: number): string {
  return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(3)}`;
}
