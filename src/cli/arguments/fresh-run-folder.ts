import { join } from "node:path";

/** Where runs are kept that the command line names no folder for. */
export const runsFolder: string = join(".espalier", "runs");

/** A folder for a run that the command line names none for. */
export function freshRunFolder(name: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  return join(runsFolder, `${name}-${time}`);
}
