import type { CoupledTask } from "../../support/yardstick/coupled-task.ts";
import { interactionTask } from "../../support/yardstick/coupled-task.ts";
import type { CellFigures } from "./figures.ts";
import { figuresOf } from "./figures.ts";
import { runOurs } from "./on-yardstick.ts";
import type { Peer } from "./peer.ts";
import { plainGepa } from "./plain-gepa.ts";
import type { PeerConfiguration } from "./run-peer.ts";
import { peerConfigurations, runPeer } from "./run-peer.ts";

/** Five tasks that differ from the yardstick's in one or two respects. */
export interface Variant {
  readonly name: string;
  readonly tasks: readonly CoupledTask[];
  /** Whether the stand-in writes only new texts, so that rejecting known texts saves nothing. */
  readonly neverRepeats: boolean;
}

export interface VariantRow {
  readonly variant: string;
  readonly metricCalls: number;
  readonly espalier: CellFigures;
  readonly plain: CellFigures;
  /** gepa's best configuration of three, and its name; absent if the peer is unavailable. */
  readonly gepa?: CellFigures & { readonly configuration: PeerConfiguration };
}

/** Variants in which every example needs both texts, scores are noisy, or no text occurs twice. */
export function variants({
  additive,
  conflict,
}: Readonly<Record<"additive" | "conflict", readonly CoupledTask[]>>): readonly Variant[] {
  const texts = additive[0]?.texts ?? {};
  const numbers = additive.map(({ seed }) => seed);
  const sum = numbers.map((seed) => interactionTask(seed, "share", texts));
  const product = numbers.map((seed) => interactionTask(seed, "product", texts));
  const noisy = (tasks: readonly CoupledTask[]): readonly CoupledTask[] =>
    tasks.map((task) => ({ ...task, noise: 0.15 }));
  const variant = (name: string, tasks: readonly CoupledTask[], neverRepeats = false): Variant => ({
    name,
    tasks,
    neverRepeats,
  });
  return [
    variant("interaction-add", sum),
    variant("interaction-mul", product),
    variant("additive+noise", noisy(additive)),
    variant("conflict+noise", noisy(conflict)),
    variant("interaction-add+noise", noisy(sum)),
    variant("interaction-mul+noise", noisy(product)),
    variant("additive, no text twice", additive, true),
    variant("conflict, no text twice", conflict, true),
    variant("interaction-add, no text twice", sum, true),
    variant("interaction-mul, no text twice", product, true),
  ];
}

/** Runs ours at its defaults, plain GEPA, and gepa itself. */
export async function onVariants(
  given: readonly Variant[],
  { peer, seeds }: { readonly peer: Peer | null; readonly seeds: number },
): Promise<readonly VariantRow[]> {
  const rows: VariantRow[] = [];
  for (const { name, tasks, neverRepeats } of given) {
    for (const metricCalls of [200, 500]) {
      const reflectionCalls = metricCalls === 200 ? 18 : 40;
      const run = { metricCalls, reflectionCalls, seeds, neverRepeats };
      const theirs =
        peer === null ? null : await bestOf(peer, tasks, { metricCalls, seeds, neverRepeats });
      rows.push({
        variant: name,
        metricCalls,
        espalier: figuresOf(await runOurs(tasks, run)),
        plain: figuresOf(await runOurs(tasks, { ...run, options: plainGepa() })),
        ...(theirs && { gepa: theirs }),
      });
    }
    console.error(`${name}: done`);
  }
  return rows;
}

async function bestOf(
  peer: Peer,
  tasks: readonly CoupledTask[],
  run: {
    readonly metricCalls: number;
    readonly seeds: number;
    readonly neverRepeats: boolean;
  },
): Promise<CellFigures & { readonly configuration: PeerConfiguration }> {
  const tried = [];
  for (const configuration of Object.keys(peerConfigurations) as PeerConfiguration[]) {
    const runs = await runPeer(peer, tasks, { ...run, configuration });
    tried.push({ configuration, ...figuresOf(runs) });
  }
  return tried.reduce((best, one) => (one.val > best.val ? one : best));
}
