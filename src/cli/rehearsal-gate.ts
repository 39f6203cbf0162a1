import type { Artifact } from "../artifact/index.ts";
import { refuseRehearsed } from "../artifact/index.ts";
import type { OpenedLm } from "./open-lm.ts";

/** The option that lets artifacts of the rehearsal LM in. */
export const rehearsalArguments = {
  "allow-rehearsal-artifacts": {
    type: "boolean",
    description: "Let a real LM run artifacts that were compiled with the rehearsal LM",
    default: false,
  },
} as const;

/** Throws `artifact-rehearsed` for what the LM must not run; `undefined` where it may run everything. */
export function rehearsalGate(
  opened: Pick<OpenedLm, "report">,
  given: { readonly "allow-rehearsal-artifacts": boolean },
): ((artifact: Artifact) => void) | undefined {
  if (given["allow-rehearsal-artifacts"]) return undefined;
  const { lm } = opened.report();
  return (artifact) => refuseRehearsed(artifact, lm);
}
