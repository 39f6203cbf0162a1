import type { FlatGepaOptions } from "../../../optimizer/support/gepa-with.ts";
import { plainGepa } from "../../support/plain-gepa.ts";
import { sourceHash } from "../../../../scripts/support/source-hash.ts";
import type { Cell } from "../environments/cells.ts";
import type { Environment } from "../environments/environment.ts";
import { yardstickShapes } from "../environments/yardstick-shapes.ts";
import { added, removed } from "./ablations.ts";
import { runAx } from "./run-ax.ts";
import type { RunFigures } from "./run-figures.ts";
import type { GepaProcess } from "./run-gepa.ts";
import { gepaConfigurations } from "./run-gepa.ts";
import { runOurs } from "./run-ours.ts";

/** One engine at one setting. */
export interface Engine<TEnvironment = Environment> {
  readonly name: string;
  readonly isPeer: boolean;
  /** What its figures depend on besides the cell. */
  readonly version: string;
  readonly takesPartIn: (cell: Cell<TEnvironment>) => boolean;
  /** Name of the peer's engine of which it is our own form. */
  readonly namesake?: string;
  readonly search: (
    cell: Cell<TEnvironment>,
    place: Cell<TEnvironment>["runs"][number],
  ) => Promise<RunFigures>;
  /** A run of a peer that came with the task. */
  readonly recorded?: (
    cell: Cell<TEnvironment>,
    place: Cell<TEnvironment>["runs"][number],
  ) => RunFigures | undefined;
}

/** What a search over texts runs on, besides the bench. */
export const searchSources = [
  "src/contract",
  "src/errors",
  "src/evaluate",
  "src/internal",
  "src/ledger",
  "src/lm",
  "src/mock",
  "src/optimizer",
  "src/statistics",
  "src/storage",
  "src/word-diff",
] as const;

/** Names of ours, by which rows are read. */
export const ourNames = {
  defaults: "espalier",
  plain: "espalier, plain GEPA",
  halfTheTexts: "espalier, half the texts",
} as const;

export interface OurEngines {
  readonly defaults: Engine;
  readonly plain: Engine;
  /** With no more texts than gepa writes, half of what ours may. */
  readonly halfTheTexts: Engine;
  /** The defaults less one part of them, and plain GEPA with one part more. */
  readonly ablated: readonly Engine[];
}

export function ourEngines(): OurEngines {
  const version = sourceHash([
    ...searchSources,
    "test/bench/optimizers/engines/ablations.ts",
    "test/bench/optimizers/engines/run-ours.ts",
    "test/bench/support/plain-gepa.ts",
  ]);
  const ours = (name: string, options: FlatGepaOptions, shareOfTexts = 1): Engine => ({
    name,
    isPeer: false,
    version,
    takesPartIn: shareOfTexts === 1 ? () => true : isOfTheYardstick,
    search: ({ shape, actsOn, metricCalls }, { task, run }) => {
      const texts = (shape.texts?.[metricCalls] ?? Infinity) * shareOfTexts;
      const limits = { metricCalls, run, ...(Number.isFinite(texts) && { texts }) };
      return runOurs(shape.environment(task, actsOn), limits, { options });
    },
  });
  return {
    defaults: ours(ourNames.defaults, {}),
    plain: ours(ourNames.plain, plainGepa()),
    halfTheTexts: ours(ourNames.halfTheTexts, {}, 0.5),
    ablated: [
      ...Object.entries(removed).map(([part, options]) => ours(`espalier, ${part}`, options)),
      ...Object.entries(added).map(([part, options]) => ours(`plain GEPA + ${part}`, options)),
    ],
  };
}

const gepaName = (configuration: string): string => `gepa 0.1.4, ${configuration}`;

export const gepaNames = Object.keys(gepaConfigurations).map(gepaName);

/** Every configuration of gepa 0.1.4. */
export function gepaEngines(peer: GepaProcess): readonly Engine[] {
  return Object.entries(gepaConfigurations).map(([name, options]) => ({
    name: gepaName(name),
    isPeer: true,
    version: "gepa-0.1.4",
    // With one text, all components are one, and candidates have nothing to merge.
    takesPartIn: ({ shape }) =>
      shape.hasSeveralTexts || !["all components", "merge"].includes(name),
    search: ({ shape, actsOn, metricCalls }, { task, run }) =>
      peer.search(shape.environment(task, actsOn), { metricCalls, run }, options),
  }));
}

/** ax's AxGEPA, which takes part in the first yardstick alone. */
export function axEngines(): readonly Engine[] {
  const version = `ax-24.0.21/${sourceHash(["test/bench/optimizers/engines/run-ax.ts"])}`;
  return [true, false].map((isRepaired) => ({
    name: `ax 24.0.21, ${isRepaired ? "repaired" : "as shipped"}`,
    isPeer: true,
    version,
    takesPartIn: isOfTheYardstick,
    search: ({ shape, actsOn, metricCalls }, { task, run }) =>
      runAx(shape.environment(task, actsOn), { metricCalls, run }, { isRepaired }),
  }));
}

/** Whether a cell is the first yardstick with its own mock. */
function isOfTheYardstick({ shape, actsOn }: Cell): boolean {
  return yardstickShapes.some(({ key }) => key === shape.key) && actsOn === shape.actsOn;
}
