import type { EngineFigures } from "../comparison/cell-figures.ts";
import type { CellRow } from "../comparison/table.ts";
import type { Limit } from "../limit.ts";
import { judged, standardError } from "../limit.ts";
import { dspyMipro, dspyNames, ownMipro } from "./lever-engines.ts";
import { leverShapes } from "./lever-shapes.ts";

/** The minimum mean on val of the joint search, by shape and calls of the student. */
const leverBars: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  "levers-all": { 300: 0.54, 1_000: 0.6, 3_000: 0.635 },
  "levers-one": { 300: 0.71, 1_000: 0.73 },
  // The seed's .417 less .015.
  "levers-none": { 300: 0.402, 1_000: 0.402 },
};
/** Where the joint search must be above every optimizer of DSPy. */
const mustBeatDspy: ReadonlySet<string> = new Set(["levers-all", "levers-one"]);
/** Where the joint search must not be below DSPy's MIPROv2 on val, and how far above on average. */
const besideMipro = ["four", "graded", "noise", "instr", "demo", "param"] as const;
const besideMiproCalls = 1_000;
const leastAboveMipro = 0.04;

/** Of the joint search, and of `miproV2()` in every cell. */
export function onLevers(rows: readonly CellRow[]): readonly Limit[] {
  const enginesAt = (shape: string, calls: number): readonly EngineFigures[] =>
    rows.find((one) => one.shape === shape && one.metricCalls === calls)?.engines ?? [];
  const ofJoint = Object.entries(leverBars).flatMap(([shape, ofBudget]) =>
    Object.entries(ofBudget).flatMap(([budget, bar]): readonly Limit[] => {
      const engines = enginesAt(shape, Number(budget));
      const cell = `${shape} at ${budget}`;
      return [
        [`${cell}: val at least ${bar}`, judged(engines[0]?.val, (val) => val >= bar)],
        ...(mustBeatDspy.has(shape) ? aboveDspy(cell, engines) : []),
      ];
    }),
  );
  const ofMipro = leverShapes.flatMap(({ key, budgets }) =>
    budgets.map((budget) => besideNamesake(`${key} at ${budget}`, enginesAt(key, budget))),
  );
  return [...ofJoint, ...notBelowMipro(enginesAt), ...ofMipro];
}

/** Of the joint search, against every optimizer of DSPy that took part. */
function aboveDspy(cell: string, engines: readonly EngineFigures[]): readonly Limit[] {
  const peers = engines.filter(({ engine }) => dspyNames.includes(engine));
  if (peers.length === 0) return [[`${cell}: above DSPy's`, "unchecked"]];
  return peers.map(({ engine, ahead }) => [
    `${cell}: the interval of the joint search's gain over ${engine} on test is above zero`,
    judged(ahead?.interval?.low, (low) => low > 0),
  ]);
}

/** Of the joint search where it need not be above every optimizer of DSPy. */
function notBelowMipro(
  enginesAt: (shape: string, calls: number) => readonly EngineFigures[],
): readonly Limit[] {
  const gains = besideMipro.map((variant) => {
    const engines = enginesAt(`levers-${variant}`, besideMiproCalls);
    return [variant, engines.find(({ engine }) => engine === dspyMipro)?.aheadOnVal] as const;
  });
  const known = gains.flatMap(([, gain]) => gain?.difference ?? []);
  const mean = known.reduce((sum, gain) => sum + gain, 0) / known.length;
  return [
    ...gains.map(([variant, gain]): Limit => {
      const slack = standardError(gain?.interval ?? { low: 0, high: 0 });
      return [
        `levers-${variant} at ${besideMiproCalls}: the joint search's gain over ${dspyMipro} on val not below zero less one standard error`,
        judged(gain?.difference, (difference) => difference >= -slack),
      ];
    }),
    [
      `levers at ${besideMiproCalls}: the joint search's gain over ${dspyMipro} on val at least ${leastAboveMipro} on average of ${besideMipro.join(", ")}`,
      judged(known.length < gains.length ? undefined : mean, (one) => one >= leastAboveMipro),
    ],
  ];
}

function besideNamesake(cell: string, engines: readonly EngineFigures[]): Limit {
  const gain = engines.find(({ engine }) => engine === ownMipro)?.overNamesake;
  return [
    `${cell}: miproV2() not below ${dspyMipro} on test by more than the interval of the difference`,
    judged(gain && (gain.interval?.high ?? gain.difference), (high) => high >= 0),
  ];
}
