import { EspalierError } from "../errors/index.ts";
import type { Parameters, Predictors } from "./call.ts";

/** @throws EspalierError `program-invalid` */
export function checkDefinition(
  { name, version, predictors }: { name: string; version: string; predictors: Predictors },
  parameters: Parameters,
): void {
  const invalid = (expected: string, got: string): EspalierError =>
    new EspalierError({
      code: "program-invalid",
      problem: "The program is invalid",
      where: `program "${name}"`,
      expected,
      got,
    });
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw invalid("a name in kebab-case", `"${name}"`);
  if (version === "") throw invalid("a version", "an empty one");
  if (Object.keys(predictors).length === 0) throw invalid("at least one predictor", "none");
  for (const key of [...Object.keys(predictors), ...Object.keys(parameters)]) {
    if (!/^[a-z][A-Za-z0-9]*$/.test(key)) throw invalid("names in camelCase", `"${key}"`);
  }
  const shared = Object.keys(parameters).find((key) => Object.hasOwn(predictors, key));
  if (shared !== undefined)
    throw invalid("different names for predictors and parameters", `"${shared}" for both`);
}
