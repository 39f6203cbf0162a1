import type { Component, NearestDemonstrations, ParameterValue } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { joinNames } from "../internal/index.ts";
import type { Field } from "../signature/index.ts";
import type { ArtifactPredictor, Compiled } from "./file/artifact.ts";

export function demosOf({ components }: Compiled, predictor: string): readonly Demonstration[] {
  const found = components.find(isAt("demos", predictor));
  return found?.kind === "demos" ? found.value : [];
}

/** How a predictor chooses among its compiled demonstrations; `null` if it shows all. */
function nearestOf({ components }: Compiled, predictor: string): NearestDemonstrations | null {
  const found = components.find(isAt("demos", predictor));
  return found?.kind === "demos" ? (found.nearest ?? null) : null;
}

/**
 * Refuses to write prompts for use without espalier if they depend on the inputs.
 *
 * @throws EspalierError `component-invalid`
 */
export function checkSamePrompts(compiled: Compiled, predictors: readonly string[]): void {
  const choosing = predictors.filter((name) => nearestOf(compiled, name) !== null);
  if (choosing.length === 0) return;
  throw new EspalierError({
    code: "component-invalid",
    problem: `The demonstrations of ${joinNames(choosing)} are chosen for each input, which only espalier can do`,
    where: `program "${compiled.program.name}"`,
    expected: "predictors that show the same demonstrations for every input",
    fix: "Export a candidate with fixed demonstrations, or serve the artifact",
  });
}

/** Fields of a predictor with their compiled descriptions. */
export function fieldsOf(
  { components }: Compiled,
  predictor: string,
  { signature }: ArtifactPredictor,
): { readonly input: readonly Field[]; readonly output: readonly Field[] } {
  const described = (field: Field): Field => {
    const found = components.find(isAt("fieldDescription", `${predictor}.${field.name}`));
    return found?.kind === "fieldDescription" ? { ...field, description: found.value } : field;
  };
  const { input, output } = signature.fields;
  return { input: input.map(described), output: output.map(described) };
}

export function parameterValuesOf({
  components,
}: Compiled): Readonly<Record<string, ParameterValue>> {
  return Object.fromEntries(
    components.flatMap((component) =>
      component.kind === "parameter" ? [[component.path, component.value] as const] : [],
    ),
  );
}

function isAt(kind: Component["kind"], path: string): (component: Component) => boolean {
  return (component) => component.kind === kind && component.path === path;
}
