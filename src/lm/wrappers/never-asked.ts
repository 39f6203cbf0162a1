import type { LanguageModel, LmIdentity } from "../../contract/index.ts";
import type { EspalierErrorOptions } from "../../errors/index.ts";
import { LmError } from "../../errors/index.ts";

/**
 * Takes the place of the server behind a cache that alone may answer.
 *
 * @param onMissing is told whose call has no reply, since a caller may catch the error
 */
export function neverAsked(
  identity: LmIdentity,
  about: Pick<EspalierErrorOptions, "problem" | "fix">,
  onMissing?: (exampleId: string | undefined) => void,
): LanguageModel {
  return {
    identity,
    doGenerate: (_, { callPath, exampleId } = {}) => {
      onMissing?.(exampleId);
      return Promise.reject(
        new LmError({
          code: "lm-reply-missing",
          where: [exampleId, callPath].filter(Boolean).join(", "),
          ...about,
        }),
      );
    },
  };
}
