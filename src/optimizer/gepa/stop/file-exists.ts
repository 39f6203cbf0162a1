import { existsSync } from "node:fs";
import type { OutsideStop } from "../../contract/optimizer.ts";
import type { Stopper } from "../strategy/strategy.ts";

/**
 * Ends the run, with a result, once this file exists: `touch` it to end a run from another
 * terminal. The file is not removed. The path is not part of the run's description, so a resumed
 * run may name another.
 */
export function fileExists(path: string): Stopper & OutsideStop {
  return {
    name: "file",
    looksOutside: true,
    stop: () => (existsSync(path) ? `${path} exists` : null),
  };
}
