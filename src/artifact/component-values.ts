import type { Component, Demonstration, ParameterValue } from "../contract/index.ts";
import type { Field } from "../signature/index.ts";
import type { ArtifactPredictor, Compiled } from "./file/artifact.ts";

/** The compiled instruction of a predictor; empty if there is none. */
export function instructionOf({ components }: Compiled, predictor: string): string {
  const found = components.find(isAt("instruction", predictor));
  return found?.kind === "instruction" ? found.value : "";
}

/** The compiled demonstrations of a predictor. */
export function demosOf({ components }: Compiled, predictor: string): readonly Demonstration[] {
  const found = components.find(isAt("demos", predictor));
  return found?.kind === "demos" ? found.value : [];
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

/** Compiled values of all parameters. */
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
