import type { Json, LmIdentity } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { isRehearsal } from "../internal/index.ts";
import type { Artifact } from "./artifact.ts";

/**
 * Refuses to run for a real LM what an optimizer chose by what the rehearsal LM said: such an artifact is an
 * example of the format. A program that was compiled as it is declared was chosen by nobody, and will do.
 *
 * @throws EspalierError `artifact-rehearsed`
 */
export function refuseRehearsed({ compiled }: Artifact, lm: LmIdentity): void {
  if (compiled.optimizer === null || isRehearsal(lm)) return;
  const { reflectionLm, judgeLm } = compiled.optimizer;
  if (![compiled.lm, reflectionLm, judgeLm].some(isRehearsalIdentity)) return;
  throw new EspalierError({
    code: "artifact-rehearsed",
    problem: `The artifact of "${compiled.program.name}" was compiled with the rehearsal LM, whose liking says nothing about a real model`,
    got: `the model "${lm.model}" to run it`,
    expected: "an artifact that was compiled with a real LM",
    fix: "Compile it with `espalier optimize STUDY --lm URL`, or let it in with --allow-rehearsal-artifacts.",
  });
}

function isRehearsalIdentity(value: Json | LmIdentity | undefined): boolean {
  if (typeof value !== "object" || value === null || !("provider" in value)) return false;
  const { provider, model }: { readonly provider?: unknown; readonly model?: unknown } = value;
  return (
    typeof provider === "string" && typeof model === "string" && isRehearsal({ provider, model })
  );
}
