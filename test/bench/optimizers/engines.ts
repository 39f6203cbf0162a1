import type { FlatGepaOptions } from "../../optimizer/support/gepa-with.ts";
import { plainGepa } from "../gepa/plain-gepa.ts";
import type { Cell } from "./cells.ts";
import type { GepaProcess } from "./run-gepa.ts";
import { gepaConfigurations } from "./run-gepa.ts";
import type { RunFigures } from "./run-ours.ts";
import { runOurs } from "./run-ours.ts";
import { sourceHash } from "./source-hash.ts";

/** One engine at one setting. */
export interface Engine {
  readonly name: string;
  readonly isPeer: boolean;
  /** What its figures depend on besides the cell. */
  readonly version: string;
  readonly takesPartIn: (cell: Cell) => boolean;
  readonly search: (cell: Cell, place: Cell["runs"][number]) => Promise<RunFigures>;
}

const ourName = "espalier";

/** Ours at its defaults comes first. */
export function enginesOf(peer: GepaProcess | null): readonly Engine[] {
  const ownSource = sourceHash([
    "src/optimizer",
    "src/statistics",
    "test/bench/optimizers/run-ours.ts",
  ]);
  const ours = (name: string, options: FlatGepaOptions): Engine => ({
    name,
    isPeer: false,
    version: ownSource,
    takesPartIn: () => true,
    search: (cell, { task, run }) =>
      runOurs(
        cell.shape.environment(task, cell.actsOn),
        { metricCalls: cell.metricCalls, texts: cell.shape.texts?.[cell.metricCalls], run },
        options,
      ),
  });
  const configurations = peer === null ? [] : Object.entries(gepaConfigurations);
  return [
    ours(ourName, {}),
    ours("espalier, plain GEPA", plainGepa()),
    ...configurations.map(([name, options]): Engine => ({
      name: `gepa 0.1.4, ${name}`,
      isPeer: true,
      version: peerSource,
      // With one text, all components are one, and candidates have nothing to merge.
      takesPartIn: ({ shape }) =>
        shape.hasSeveralTexts || !["all components", "merge"].includes(name),
      search: (cell, { task, run }) => {
        const environment = cell.shape.environment(task, cell.actsOn);
        if (peer === null) throw new Error("gepa is not there.");
        return peer.search(environment, { metricCalls: cell.metricCalls, run }, options);
      },
    })),
  ];
}

const peerSource = "gepa-0.1.4";

/** What the tasks themselves depend on. */
export function taskSource(): string {
  return sourceHash([
    ...[
      "environment",
      "joint-environment",
      "keyword-environment",
      "skill-environment",
      "yardstick-environment",
      "shapes",
    ].map((name) => `test/bench/optimizers/${name}.ts`),
    "test/bench/optimizers/gepa-pipe.py",
    "test/support/yardstick",
  ]);
}
