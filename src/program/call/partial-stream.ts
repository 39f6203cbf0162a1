import type { JsonObject, PartialListener } from "../../contract/index.ts";
import type { Growth } from "./growth.ts";
import { isDue } from "./growth.ts";
import type { OutputStream } from "./output-stream.ts";

/**
 * Tells a listener of outputs as they grow, each time by a value of its own. While long lists and
 * texts are open, it skips pieces: see `isDue`.
 *
 * @param growthOf makes the reader of one reply
 */
export function partialStream(
  path: string,
  growthOf: () => Growth,
  onPartial: PartialListener,
): OutputStream {
  let growth = growthOf();
  let told = growth.changes;
  let unread = 0;
  let isRestarted = false;
  let hasTold = false;
  const tell = (outputs: JsonObject, growing: readonly (string | number)[] | null): void => {
    hasTold = true;
    onPartial(outputs, { path, growing, ...(isRestarted && { restarted: true }) });
    isRestarted = false;
  };
  return {
    begin: () => {
      growth = growthOf();
      [told, unread] = [growth.changes, 0];
      if (!hasTold) return;
      isRestarted = true;
      tell({}, []);
      hasTold = false;
    },
    add: ({ content = "" }) => {
      growth.add(content);
      unread += content.length;
      if (growth.changes === told || !isDue(growth, unread)) return;
      [told, unread] = [growth.changes, 0];
      const { value, growing } = growth.snapshot();
      tell(value, growing);
    },
    end: (outputs) => tell(outputs, null),
  };
}
