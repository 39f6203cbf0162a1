import type { LmIdentity } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { isMock } from "../../mock/index.ts";
import type { Artifact } from "../file/artifact.ts";

/**
 * Refuses to run an artifact on a real LM if an optimizer chose it by the rehearsal LM's answers:
 * such an artifact only demonstrates the format. A program compiled as declared was not chosen by
 * an optimizer, and passes.
 *
 * @throws EspalierError `artifact-rehearsed`
 */
export function refuseRehearsed({ compiled }: Artifact, lm: LmIdentity): void {
  if (compiled.optimizer === null || isMock(lm)) return;
  const { reflectionLm, judgeLm, teacherLm } = compiled.optimizer;
  if (![compiled.lm, reflectionLm, judgeLm, teacherLm].some((asked) => isMock(asked))) return;
  throw new EspalierError({
    code: "artifact-rehearsed",
    problem: `The artifact of "${compiled.program.name}" was compiled with the rehearsal LM, which says nothing about a real model`,
    got: `a run with the model "${lm.model}"`,
    expected: "an artifact compiled with a real LM",
    fix: "Compile it with `espalier optimize STUDY --lm URL`, or allow it with --allow-rehearsal-artifacts.",
  });
}
