import type { LanguageModel } from "../../contract/index.ts";
import { cached, neverAsked } from "../../lm/files.ts";
import type { WorkLog } from "./work-log.ts";

/**
 * Answers calls that the run has made, from its log; any other fails with `lm-reply-missing`. Asks
 * no server and records nothing.
 *
 * @param onMissing is told whose call has no reply, since a program or a metric may catch the error
 */
export function recordedOnly(
  { identity }: Pick<LanguageModel, "identity">,
  log: WorkLog,
  onMissing: (exampleId: string | undefined) => void,
): LanguageModel {
  const problem = "The run has not made this call yet";
  const replies = { get: (key: string) => log.replyOfCourse(key), set: () => undefined };
  return cached(neverAsked(identity, { problem }, onMissing), replies);
}
