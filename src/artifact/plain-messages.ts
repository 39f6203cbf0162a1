import type {
  JsonObject,
  LmMessage,
  ParameterValue,
  ResponseSchema,
  Component,
  NearestDemonstrations,
} from "../contract/index.ts";
import type { PredictorSettings } from "../program/index.ts";
import { jsonDriver } from "../program/index.ts";
import { jsonSchemaOf } from "../signature/index.ts";
import type { Artifact, ArtifactPredictor, Compiled } from "./file/artifact.ts";
import { EspalierError } from "../errors/index.ts";
import { joinNames } from "../internal/index.ts";
import type { Field } from "../signature/index.ts";

/** The prompts of a compiled program for any chat API, without espalier. */
export interface PlainMessages {
  readonly format: "espalier-messages/1";
  readonly program: string;
  /** Content hash of the artifact. */
  readonly artifact: string;
  /** Parameters of the program's own code; prompts do not show them. */
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly predictors: Readonly<Record<string, PlainPrompt>>;
  /** Predictors without a recorded input, so without prompts in the artifact. */
  readonly notRecorded: readonly string[];
}

export interface PlainPrompt {
  /** The system message, then two messages for each demonstration: the same for every input. */
  readonly messages: readonly LmMessage[];
  /** A recorded input, and the last message that it renders. */
  readonly example: { readonly inputs: JsonObject; readonly message: LmMessage };
  /** The JSON schema of the reply; `null` if the driver does not ask for JSON. */
  readonly responseSchema: ResponseSchema | null;
  readonly settings: PredictorSettings;
}

/**
 * Extracts the prompts from an artifact as they were sent, without rendering anything.
 *
 * @throws EspalierError `component-invalid` if a predictor chooses demonstrations for each input
 */
export function plainMessages({ hash, compiled }: Artifact): PlainMessages {
  const { program, predictors, samples } = compiled;
  checkSamePrompts(compiled, Object.keys(predictors));
  const prompts: Record<string, PlainPrompt> = {};
  const notRecorded: string[] = [];
  for (const [name, predictor] of Object.entries(predictors)) {
    const [sample] = samples[name] ?? [];
    const message = sample?.messages.at(-1);
    if (sample === undefined || message === undefined) {
      notRecorded.push(name);
      continue;
    }
    const { signature, driver, settings } = predictor;
    const schema = jsonSchemaOf(fieldsOf(compiled, name, predictor).output);
    prompts[name] = {
      messages: sample.messages.slice(0, -1),
      example: { inputs: sample.inputs, message },
      responseSchema: driver === jsonDriver.name ? { name: signature.name, schema } : null,
      settings,
    };
  }
  return {
    format: "espalier-messages/1",
    program: program.name,
    artifact: hash,
    parameters: parameterValuesOf(compiled),
    predictors: prompts,
    notRecorded,
  };
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
function checkSamePrompts(compiled: Compiled, predictors: readonly string[]): void {
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
function fieldsOf(
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

function parameterValuesOf({ components }: Compiled): Readonly<Record<string, ParameterValue>> {
  return Object.fromEntries(
    components.flatMap((component) =>
      component.kind === "parameter" ? [[component.path, component.value] as const] : [],
    ),
  );
}

function isAt(kind: Component["kind"], path: string): (component: Component) => boolean {
  return (component) => component.kind === kind && component.path === path;
}
