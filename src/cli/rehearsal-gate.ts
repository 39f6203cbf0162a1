import type { Artifact } from "../artifact/index.ts";
import { refuseRehearsed } from "../artifact/index.ts";
import type { OpenedLm } from "./open-lm.ts";

/** Throws `artifact-rehearsed` for what the LM must not run; `undefined` where it may run everything. */
export function rehearsalGate(
  opened: Pick<OpenedLm, "report">,
  given: { readonly "allow-rehearsal-artifacts": boolean },
): ((artifact: Artifact) => void) | undefined {
  if (given["allow-rehearsal-artifacts"]) return undefined;
  const { lm } = opened.report();
  return (artifact) => refuseRehearsed(artifact, lm);
}
