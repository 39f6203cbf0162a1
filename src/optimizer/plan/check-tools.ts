import { EspalierError } from "../../errors/index.ts";
import type { TunableProgram } from "../../program/index.ts";

/**
 * Throws `tool-not-allowed` before anything is spent if an agent of the program has a tool that the
 * search may not run.
 */
export function checkTools(
  { name: program, predictors }: Pick<TunableProgram, "name" | "predictors">,
  allowsWorldChanges: boolean,
): void {
  if (allowsWorldChanges) return;
  for (const [predictor, { driver }] of Object.entries(predictors)) {
    const refused = driver.tools?.find((tool) => tool.changesTheWorld && !tool.doStandIn);
    if (refused === undefined) continue;
    throw new EspalierError({
      code: "tool-not-allowed",
      problem: `The tool \`${refused.name}\` changes the world, which a search may not`,
      where: `predictor \`${predictor}\` of program \`${program}\``,
      expected: "tools that change nothing, or have a `standIn`",
      fix: "Give the tool a `standIn` for searches, or allow it: `allowsWorldChanges: true`, on the command line --allow-world-changes.",
    });
  }
}
