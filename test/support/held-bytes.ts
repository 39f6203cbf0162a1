import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes of the heap that what `make` returns keeps alive. */
export function heldBytes(make: () => unknown): number {
  collect();
  const before = process.memoryUsage().heapUsed;
  const held = make();
  collect();
  const bytes = process.memoryUsage().heapUsed - before;
  // Alive up to here.
  return held === undefined ? 0 : bytes;
}
