import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function used(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes that what `make` returns keeps alive, on the heap and in buffers. */
export function heldBytes(make: () => unknown): number {
  const before = used();
  const held = make();
  const bytes = used() - before;
  // Alive up to here.
  return held === undefined ? 0 : bytes;
}
