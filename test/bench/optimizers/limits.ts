import type { EngineFigures } from "./comparison/cell-figures.ts";
import type { CellRow } from "./comparison/table.ts";
import { ourNames } from "./engines/engines.ts";
import { shapes } from "./environments/shapes.ts";
import { onLevers } from "./levers/lever-limits.ts";
import type { Limit, Outcome } from "./limit.ts";
import { judged, standardError } from "./limit.ts";
import type { OverheadBySize } from "./timing/engine-overhead.ts";
import type { Part } from "./options.ts";
import type { ProcessCost } from "./timing/process-cost.ts";
import type { WallClocks } from "./timing/wall-clock.ts";

/** What was measured; a part that was not is empty or null. */
export interface Measured {
  readonly rows: readonly CellRow[];
  readonly variants: readonly CellRow[];
  readonly levers: readonly CellRow[];
  readonly overhead: OverheadBySize | null;
  readonly wallClock: WallClocks | null;
  readonly processCosts: readonly ProcessCost[] | null;
}

/** How a bench compares with the project's own limits, one sentence each. */
export interface Limits {
  readonly kept: readonly string[];
  readonly missed: readonly string[];
  /** Limits that nothing was measured for. */
  readonly unchecked: readonly string[];
}

/** The minimum mean on val of ours on the first yardstick, by budget. */
const bars = {
  additive: { 200: 0.965, 500: 0.988 },
  conflict: { 200: 0.515, 500: 0.575 },
} as const;
/** The minimum mean on test of ours on other shapes, by budget; less one standard error of it. */
const shapeBars: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  a: { 200: 0.37, 500: 0.95 },
  b: { 200: 0.25, 500: 0.95 },
  c: { 200: 0.48, 500: 0.98 },
  "c'": { 200: 0.39, 500: 0.53 },
  d: { 200: 0.5, 500: 0.98 },
  e: { 2_000: 0.98, 5_000: 0.995 },
};
/** The maximum engine time per metric call, in microseconds. */
const maxMicros = 20;
/** The maximum time of a call in a longer run, as a multiple of one in a shorter run. */
const maxGrowth = 1.5;
const maxWallMs = 2_000;
/** The most of gepa's CPU that a whole process of ours may take. */
const maxRatioToGepa = 1 / 3;

/** Compares figures with the limits of the parts that were asked for. */
export function checkLimits(measured: Measured, parts: ReadonlySet<Part>): Limits {
  const limits: Readonly<Record<Part, readonly Limit[]>> = {
    shapes: [...onYardsticks(measured.rows), ...onShapes(measured.rows)],
    variants: onVariants(measured.variants),
    levers: onLevers(measured.levers),
    ablations: [],
    overhead: ofOverhead(measured.overhead),
    "wall-clock": ofWallClock(measured.wallClock),
    "process-cost": ofProcesses(measured.processCosts),
  };
  const outcomes = [...parts].flatMap((part) => limits[part]);
  const having = (one: Outcome): readonly string[] =>
    outcomes.flatMap(([limit, outcome]) => (outcome === one ? [limit] : []));
  return {
    kept: having("kept"),
    missed: outcomes.flatMap(([limit, outcome]) =>
      typeof outcome === "object" ? [`${limit}; measured: ${outcome.missed}`] : [],
    ),
    unchecked: having("unchecked"),
  };
}

function onYardsticks(rows: readonly CellRow[]): readonly Limit[] {
  return Object.entries(bars).flatMap(([shape, ofBudget]) =>
    Object.entries(ofBudget).flatMap(([budget, bar]) => {
      const row = rows.find(
        (one) => isOwn(one) && one.shape === shape && one.metricCalls === Number(budget),
      );
      return onYardstick(`${shape} at ${budget}`, bar, row?.engines ?? []);
    }),
  );
}

function onShapes(rows: readonly CellRow[]): readonly Limit[] {
  return Object.entries(shapeBars).flatMap(([shape, ofBudget]) =>
    Object.entries(ofBudget).map(([budget, bar]): Limit => {
      const row = rows.find(
        (one) => isOwn(one) && one.shape === shape && one.metricCalls === Number(budget),
      );
      const ours = row?.engines.find(({ engine }) => engine === ourNames.defaults);
      const { low, high } = ours?.interval ?? { low: 0, high: 0 };
      return [
        `${shape} at ${budget}: test at least ${bar} less one standard error`,
        judged(ours?.test, (test) => test >= bar - standardError({ low, high })),
      ];
    }),
  );
}

/** Whether a row is of the mock that its shape came with. */
function isOwn({ shape, actsOn }: CellRow): boolean {
  return shapes.find(({ key }) => key === shape)?.actsOn === actsOn;
}

function onYardstick(cell: string, bar: number, engines: readonly EngineFigures[]): Limit[] {
  const named = (name: keyof typeof ourNames) =>
    engines.find(({ engine }) => engine === ourNames[name]);
  const [gepa] = engines
    .filter(({ engine }) => engine.startsWith("gepa 0.1.4"))
    .toSorted((one, other) => other.test - one.test);
  const few = gepa && named("halfTheTexts");
  return [
    [`${cell}: val at least ${bar}`, judged(named("defaults")?.val, (val) => val >= bar)],
    [
      `${cell}: the interval of the gain over gepa on test is above zero`,
      judged(gepa?.ahead?.interval?.low, (low) => low > 0),
    ],
    [
      `${cell}: with gepa's number of texts, not below gepa on val`,
      judged(few?.val, (val) => val >= (gepa?.val ?? NaN)),
    ],
  ];
}

function onVariants(rows: readonly CellRow[]): readonly Limit[] {
  if (rows.length === 0) return [["variants: val not below plain GEPA's", "unchecked"]];
  return rows.map(({ shape, metricCalls, engines }) => {
    const plain = engines.find(({ engine }) => engine === ourNames.plain);
    return [
      `${shape} at ${metricCalls}: val not below plain GEPA's`,
      judged(plain && engines[0]?.val, (val) => val >= (plain?.val ?? NaN)),
    ];
  });
}

function ofOverhead(overhead: OverheadBySize | null): readonly Limit[] {
  // Sizes are integer keys, so they iterate in ascending order.
  const micros = Object.entries(overhead ?? {}).map(
    ([size, { wallMicros }]) => [size, wallMicros] as const,
  );
  const growth = micros.flatMap(([, longer], index) =>
    micros.slice(0, index).map(([, shorter]) => longer / shorter),
  );
  return [
    ...(micros.length === 0
      ? [[`overhead: at most ${maxMicros} us per call`, "unchecked"] as const]
      : micros.map(([size, wallMicros]): Limit => [
          `overhead: at most ${maxMicros} us per call at ${size} calls`,
          judged(wallMicros, (one) => one <= maxMicros),
        ])),
    [
      `overhead: flat, a call of a longer run at most ${maxGrowth} times one of a shorter`,
      judged(growth.length === 0 ? undefined : Math.max(...growth), (most) => most <= maxGrowth),
    ],
  ];
}

function ofWallClock(clocks: WallClocks | null): readonly Limit[] {
  const { espalier, ax } = clocks ?? {};
  return [
    [
      `wall clock: at most ${maxWallMs} ms`,
      judged(espalier?.wallMs, (wallMs) => wallMs <= maxWallMs),
    ],
    ["wall clock: not below ax on val", judged(espalier?.val, (val) => val >= (ax?.val ?? NaN))],
  ];
}

function ofProcesses(costs: readonly ProcessCost[] | null): readonly Limit[] {
  const limit = "process cost: at most a third of gepa's CPU";
  return (
    costs?.map(({ metricCalls, ratio }) => [
      `${limit} at ${metricCalls} calls`,
      judged(ratio, (one) => one <= maxRatioToGepa),
    ]) ?? [[limit, "unchecked"]]
  );
}
