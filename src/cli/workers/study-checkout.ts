import type { JsonObject, LmIdentity } from "../../contract/index.ts";
import { promptLayout } from "../../contract/index.ts";
import { contentHash, mapValues } from "../../internal/index.ts";
import { manifest } from "../arguments/manifest.ts";
import type { Checkout } from "../packages/workers-package.ts";
import type { Study } from "../../study/index.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import type { RecordedModules } from "../load/recorded-modules.ts";

/** What must be the same here and on a worker. */
export function studyCheckout(
  { program, objective, optimizer }: Study,
  opened: Pick<OpenedLms, "lm" | "lms" | "judgeLm">,
  { path, modules }: { readonly path: string; readonly modules: RecordedModules },
): Checkout {
  const { name, version, parameters, predictors } = program;
  const asked = Object.entries(predictors).map(([predictor, each]) => [
    predictor,
    each.kind,
    each.signature.hash,
    each.driver.name,
    each.settings,
  ]);
  const teacher = optimizer?.teacherLm;
  return {
    version: manifest.version,
    program: {
      name,
      version,
      promptLayout,
      predictors: hashOf(asked),
      parameters: hashOf(parameters),
    } satisfies JsonObject,
    prompts: hashOf(program.components()),
    metric: { name: objective.name, version: objective.version },
    modules: modules.hashesFrom(path),
    lms: {
      answer: opened.lm.identity,
      ...(opened.judgeLm && { judge: opened.judgeLm.identity }),
      ...(teacher && { teacher: teacher.identity }),
      ...mapValues(opened.lms, ({ identity }): LmIdentity => identity),
    },
  };
}

/** Settings may hold functions, which their JSON leaves out. */
function hashOf(value: unknown): string {
  return contentHash(JSON.parse(JSON.stringify(value)));
}
