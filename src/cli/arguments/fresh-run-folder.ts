import { join } from "node:path";

/** A folder for a run that the command line names none for. */
export function freshRunFolder(name: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  return join(".espalier", "runs", `${name}-${time}`);
}
