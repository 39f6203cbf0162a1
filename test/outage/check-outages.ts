import { batchCommand } from "./batch-command.ts";
import { evalCommand } from "./eval-command.ts";
import { optimizeCommand } from "./optimize-command.ts";
import type { OutageRow, OutageSetup } from "./outage-setup.ts";
import { outagesOf } from "./resumable-command.ts";
import { serveOutage } from "./serve-outage.ts";

type Check = (setup: OutageSetup) => Promise<readonly OutageRow[]>;

/** The commands that can be interrupted, by name. */
export const outageCommands: Readonly<Record<string, Check>> = {
  optimize: (setup) => outagesOf(optimizeCommand(setup), setup),
  eval: (setup) => outagesOf(evalCommand(setup), setup),
  batch: async (setup) => outagesOf(await batchCommand(setup), setup),
  serve: serveOutage,
};

/** Interrupts the named commands, all at the same time. */
export async function checkOutages(
  commands: readonly string[],
  setup: OutageSetup,
): Promise<readonly OutageRow[]> {
  const checked = await Promise.all(
    commands.map(async (command) => {
      try {
        return (await outageCommands[command]?.(setup)) ?? [];
      } catch (error) {
        return [unchecked(command, error)];
      }
    }),
  );
  return checked.flat();
}

/** What the other commands show is kept. */
function unchecked(command: string, error: unknown): OutageRow {
  return {
    command,
    patience: 0,
    killedAfter: 0,
    ofCalls: 0,
    awaySeconds: 0,
    went: "not checked",
    same: [],
    problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  };
}
