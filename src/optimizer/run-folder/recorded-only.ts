import type { LanguageModel } from "../../contract/index.ts";
import { LmError } from "../../errors/index.ts";
import { cached } from "../../lm/files.ts";
import type { WorkLog } from "./work-log.ts";

/**
 * Answers calls that the run has made, from its log; any other fails with `lm-reply-missing`. Asks
 * no server and records nothing.
 *
 * @param onMissing is told whose call has no reply, since a program or a metric may catch the error
 */
export function recordedOnly(
  { identity }: LanguageModel,
  log: WorkLog,
  onMissing: (exampleId: string | undefined) => void,
): LanguageModel {
  const neverAsked: LanguageModel = {
    identity,
    doGenerate: (_, { callPath, exampleId } = {}) => {
      onMissing(exampleId);
      return Promise.reject(
        new LmError({
          code: "lm-reply-missing",
          problem: "The run has not made this call yet",
          where: [exampleId, callPath].filter(Boolean).join(", "),
        }),
      );
    },
  };
  const replies = { get: (key: string) => log.replyOfCourse(key), set: () => undefined };
  return cached(neverAsked, replies);
}
