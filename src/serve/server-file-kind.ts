import { feedbackFormat } from "./feedback/feedback-tables.ts";
import { serveStateFormat } from "./state/serve-state-format.ts";

/**
 * Which kind of server file this is, by its first 100 bytes: the state of trials, or feedback.
 * `null` for any other file.
 */
export function serverFileKind(head: Buffer): "state" | "feedback" | null {
  if (head.length < 72 || !head.toString("latin1").startsWith("SQLite format 3\0")) return null;
  const applicationId = head.readUInt32BE(68);
  if (applicationId === serveStateFormat.applicationId) return "state";
  return applicationId === feedbackFormat.applicationId ? "feedback" : null;
}
