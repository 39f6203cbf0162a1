/**
 * Compares ours, gepa 0.1.4 and ax's AxGEPA on the same tasks in one run: the quality of the texts
 * that each returns under a cap on rollouts, the contribution of each part of ours, the engine's
 * own cost, and the duration of a search. The reflection LM is a stand-in that adds one keyword per
 * call, so figures compare engines and do not predict what a real model would reach. A size of 0
 * skips a part (`--variant-seeds 0`). Exits with 1 if a limit is missed or the tasks are missing;
 * lists limits that nothing was measured for.
 */
import { dirname } from "node:path";
import { sharedData } from "../support/shared-data.ts";
import { fromYardstick } from "../support/yardstick/coupled-task.ts";
import { readYardstick } from "../support/yardstick/yardstick-task.ts";
import { runAblations } from "./gepa/ablations.ts";
import { cells } from "./gepa/cells.ts";
import { checkLimits } from "./gepa/limits.ts";
import { onVariants, variants } from "./gepa/on-variants.ts";
import { onYardstick } from "./gepa/on-yardstick.ts";
import { ourOverhead, peerOverhead } from "./gepa/overhead.ts";
import { peer as installedPeer } from "./gepa/peer.ts";
import {
  ablationTable,
  overheadTable,
  variantTable,
  wallClockTable,
  yardstickTable,
} from "./gepa/tables.ts";
import { wallClock } from "./gepa/wall-clock.ts";
import { benchOptions, report } from "./support/bench-options.ts";

const { json, sizes } = benchOptions(
  "gepa",
  "Compares gepa() with gepa 0.1.4 and ax's AxGEPA on synthetic tasks. A size of 0 skips its part.",
  {
    seeds: [20, "Runs of each task of the yardstick, for espalier and gepa"],
    "ax-seeds": [20, "Runs of each task of the yardstick, for ax"],
    "variant-seeds": [20, "Runs of each task of the variants"],
    "ablation-seeds": [20, "Runs of each task for each ablation of espalier"],
    "overhead-rounds": [5, "Rounds that time the engines themselves"],
    "wall-tasks": [3, "Tasks whose whole search is timed"],
    "in-flight": [32, "Concurrent rollouts in the timed searches"],
  },
);
const yardstick = sharedData("../bench/gepa/task.json");
if (yardstick.isAbsent) {
  console.error("NO LIMIT CHECKED: the tasks in ../shared/bench/gepa are missing.");
  process.exit(1);
}
const { tasks: given, seedTexts } = readYardstick(dirname(yardstick.file));
const ofVariant = (name: "additive" | "conflict") =>
  given.filter(({ variant }) => variant === name).map((task) => fromYardstick(task, seedTexts));
const tasks = { additive: ofVariant("additive"), conflict: ofVariant("conflict") };
const harder = variants(tasks);
const interaction = harder[0]?.tasks ?? [];

const found = await installedPeer();
const peer = typeof found === "string" ? null : found;
if (typeof found === "string") console.error(`SKIPPED, gepa's columns: ${found}`);

const rounds = sizes["overhead-rounds"];
// Measured first, while the process is quiet.
const overhead = rounds === 0 ? null : await ourOverhead(rounds);
const gepaOverhead = peer === null || rounds === 0 ? null : await peerOverhead(peer, rounds);
const wallTasks = interaction.slice(0, sizes["wall-tasks"]);
const wall = wallTasks.length === 0 ? null : await wallClock(wallTasks, sizes["in-flight"]);
const rows = await onYardstick(tasks, { peer, seeds: sizes.seeds, axSeeds: sizes["ax-seeds"] });
const variantRows =
  sizes["variant-seeds"] === 0
    ? []
    : await onVariants(harder, { peer, seeds: sizes["variant-seeds"] });
const joint = { metricCalls: 200, reflectionCalls: 18 };
const ablationRows =
  sizes["ablation-seeds"] === 0
    ? []
    : await runAblations(
        [
          ...cells.map((cell) => ({ ...cell, tasks: tasks[cell.variant] })),
          { name: "interaction200", tasks: interaction, ...joint },
          { name: "noise200", tasks: harder[2]?.tasks ?? [], ...joint },
        ],
        sizes["ablation-seeds"],
      );

const valOf = (engine: "espalier" | "gepa" | "ax" | "axRepaired") =>
  rows.some(({ [engine]: figures }) => figures === undefined)
    ? null
    : Object.fromEntries(rows.map(({ cell, [engine]: figures }) => [cell.name, figures?.val]));
const microsOf = (bySize: typeof overhead) =>
  bySize &&
  Object.fromEntries(Object.entries(bySize).map(([size, { wallMicros }]) => [size, wallMicros]));
const { missed, unchecked } = checkLimits({ rows, variantRows, overhead, wall });
report(
  json,
  [
    ...(sizes.seeds === 0 ? [] : yardstickTable(rows)),
    ...(typeof found === "string" ? [`SKIPPED, gepa's columns: ${found}`] : []),
    ...(variantRows.length === 0 ? [] : ["", ...variantTable(variantRows)]),
    ...(ablationRows.length === 0 ? [] : ["", ...ablationTable(ablationRows)]),
    "",
    ...(overhead === null
      ? []
      : overheadTable({ espalier: overhead, "gepa 0.1.4": gepaOverhead ?? undefined })),
    "",
    ...(wall === null
      ? []
      : wallClockTable({
          [`espalier, ${sizes["in-flight"]} rollouts in flight`]: wall.espalier,
          "ax as shipped": wall.ax,
          "ax repaired": wall.axRepaired,
        })),
    "",
    ...missed.map((limit) => `MISSED: ${limit}`),
    ...unchecked.map((limit) => `NOT CHECKED: ${limit}`),
    ...(missed.length + unchecked.length === 0 ? ["All limits hold."] : []),
    "stand-in: the reflection LM is not a model; figures compare engines and say nothing about a real one",
  ].join("\n"),
  {
    standIn: true,
    ...sizes,
    espalier: valOf("espalier"),
    gepa: valOf("gepa"),
    ax: valOf("ax"),
    axRepaired: valOf("axRepaired"),
    wallMs: wall?.espalier.wallMs ?? null,
    overheadMicros: microsOf(overhead),
    missed,
    unchecked,
    details: {
      cells: rows,
      variants: variantRows,
      ablations: ablationRows,
      overhead,
      gepaOverhead,
      wall,
    },
  },
);
if (missed.length > 0) process.exitCode = 1;
