import type { AblationRow } from "./ablations.ts";
import type { CellFigures } from "./figures.ts";
import type { VariantRow } from "./on-variants.ts";
import type { CellRow } from "./on-yardstick.ts";
import type { OverheadBySize } from "./overhead.ts";
import { overheadSizes } from "./overhead.ts";
import type { WallClock } from "./wall-clock.ts";

/** One line for each engine and cell, then our gain on test. */
export function yardstickTable(rows: readonly CellRow[]): readonly string[] {
  const engines = [
    ["espalier", "espalier"],
    ["espalierFewTexts", "espalier, gepa's texts"],
    ["gepa", "gepa 0.1.4, its best"],
    ["ax", "ax as shipped"],
    ["axRepaired", "ax repaired"],
  ] as const;
  return [
    "engine                  cell         val    test   metric calls  texts written",
    ...engines.flatMap(([key, name]) =>
      rows.flatMap(({ cell, [key]: figures }) =>
        figures === undefined
          ? []
          : [`${name.padEnd(24)}${cell.name.padEnd(13)}${line(figures)}  (${figures.runs} runs)`],
      ),
    ),
    "",
    ...rows.flatMap(({ cell, gain }) =>
      gain === undefined
        ? []
        : [
            `${cell.name.padEnd(13)}test mean, ours minus gepa's: ${signed(gain.difference)}` +
              (gain.interval === null
                ? ""
                : `  95 % [${signed(gain.interval.low)}, ${signed(gain.interval.high)}]`),
          ],
    ),
  ];
}

export function variantTable(rows: readonly VariantRow[]): readonly string[] {
  return [
    "true val / test mean             calls  espalier         plain GEPA       gepa 0.1.4, best of three",
    ...rows.map(({ variant, metricCalls, espalier, plain, gepa }) =>
      [
        variant.padEnd(33),
        String(metricCalls).padEnd(7),
        ...[espalier, plain].map((figures) => pair(figures).padEnd(17)),
        gepa === undefined ? "" : `${pair(gepa)}  ${gepa.configuration}`,
      ].join(""),
    ),
  ];
}

export function ablationTable(rows: readonly AblationRow[]): readonly string[] {
  const columns = Object.keys(rows[0]?.figures ?? {});
  return [
    `val / test mean${" ".repeat(21)}${columns.map((name) => name.padEnd(17)).join("")}`,
    ...rows.map(
      ({ name, figures }) =>
        name.padEnd(36) +
        columns
          .map((column) => (figures[column] === undefined ? "" : pair(figures[column])).padEnd(17))
          .join(""),
    ),
  ];
}

export function overheadTable(
  engines: Readonly<Record<string, OverheadBySize | undefined>>,
): readonly string[] {
  return [
    "engine time per metric call, journal on disk      calls   wall       CPU        candidates",
    ...Object.entries(engines).flatMap(([name, bySize]) =>
      bySize === undefined
        ? []
        : overheadSizes.map((size) => {
            const { wallMicros = NaN, cpuMicros = NaN, candidates = NaN } = bySize[size] ?? {};
            return [
              name.padEnd(50),
              String(size).padEnd(8),
              `${wallMicros.toFixed(1)} us`.padEnd(11),
              `${cpuMicros.toFixed(1)} us`.padEnd(11),
              String(candidates),
            ].join("");
          }),
    ),
  ];
}

export function wallClockTable(engines: Readonly<Record<string, WallClock>>): readonly string[] {
  return [
    "200 metric calls, two steps, 20 ms per LM call    wall       val    in flight",
    ...Object.entries(engines).map(([name, { wallMs, val, inFlight }]) =>
      [
        name.padEnd(50),
        `${wallMs.toFixed(0)} ms`.padEnd(11),
        fixed(val).padEnd(7),
        String(inFlight),
      ].join(""),
    ),
  ];
}

function line({ val, test, metricCalls, reflectionCalls }: CellFigures): string {
  return [
    fixed(val).padEnd(7),
    fixed(test).padEnd(7),
    metricCalls.toFixed(0).padEnd(14),
    reflectionCalls.toFixed(1),
  ].join("");
}

function pair({ val, test }: CellFigures): string {
  return `${fixed(val)} / ${fixed(test)}`;
}

function fixed(value: number): string {
  return value.toFixed(3);
}

function signed(value: number): string {
  return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(4)}`;
}
