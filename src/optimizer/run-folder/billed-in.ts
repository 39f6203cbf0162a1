import { readWork } from "./read-work.ts";
import type { RecordedReplies } from "./recorded-replies.ts";

/**
 * What was sent to a server, by role, according to a file of recorded replies; empty if there is no
 * file.
 */
export function billedIn(path: string): ReturnType<RecordedReplies["billed"]> {
  return readWork(path).billed();
}
