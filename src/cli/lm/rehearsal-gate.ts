import type { Artifact } from "../../artifact/index.ts";
import { refuseRehearsed } from "../../artifact/index.ts";
import type { LanguageModel } from "../../contract/index.ts";

/**
 * Returns a check that throws `artifact-rehearsed` for an artifact that one of the LMs must not
 * run, or `undefined` if every artifact is allowed.
 *
 * @param lms all LMs that may run the artifact
 */
export function rehearsalGate(
  lms: readonly Pick<LanguageModel, "identity">[],
  given: { readonly "allow-rehearsal-artifacts": boolean },
): ((artifact: Artifact) => void) | undefined {
  if (given["allow-rehearsal-artifacts"]) return undefined;
  return (artifact) => {
    for (const { identity } of lms) refuseRehearsed(artifact, identity);
  };
}
