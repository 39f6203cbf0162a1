import { fileURLToPath } from "node:url";
import type { CoupledTask } from "../../support/yardstick/coupled-task.ts";
import { pythonPackage } from "../support/python-package.ts";

/** gepa 0.1.4 from the Python package index, in its own virtual environment. */
export interface Peer {
  /** Answers one job at a time; see `peer.py`. */
  run<TAnswer>(tasks: readonly CoupledTask[], jobs: readonly object[]): Promise<readonly TAnswer[]>;
}

const driver = fileURLToPath(new URL("peer.py", import.meta.url));

/** Returns the reason in a sentence if it is unavailable. */
export async function peer(): Promise<Peer | string> {
  const gepa = await pythonPackage("gepa", "0.1.4");
  if (typeof gepa === "string") return gepa;
  return {
    run: async <TAnswer>(tasks: readonly CoupledTask[], jobs: readonly object[]) => {
      if (jobs.length === 0) return [];
      const said = await gepa.run(driver, JSON.stringify({ tasks, jobs }));
      return said
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as TAnswer);
    },
  };
}
