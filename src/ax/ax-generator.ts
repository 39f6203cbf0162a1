import type {
  Json,
  JsonObject,
  LanguageModel,
  LmMessage,
  LmRequest,
  Sampling,
} from "../contract/index.ts";
import { AxGen, AxPromptTemplate } from "./ax.ts";
import { axService } from "./ax-service.ts";
import { toAxSignature } from "./ax-signature.ts";
import type { ConfiguredGenerator } from "./configured-generator.ts";
import { instructionPlaceholder, placeInstruction } from "./instruction-placeholder.ts";
import { fieldsForAx, repairSystemMessage } from "./repair-system-message.ts";
import { arePlain, labelsIn } from "./label-list.ts";
import type { LaidOutParts } from "./prompt-parts.ts";
import type { PromptDemonstration } from "./prompt-template.ts";
import { contentOf } from "./prompt-template.ts";
import { underAxNames, withOwnNames } from "./short-names.ts";

export interface AxGeneratorOptions {
  /** Configures the generator of each call. */
  readonly configure?: (generator: ConfiguredGenerator) => void;
}

export interface AxGenerator {
  render(values: Readonly<Record<string, string>>): readonly LmMessage[];
  /**
   * Rejects with ax's own error if the model's text still breaks a rule after the last correction.
   */
  generate(
    values: Readonly<Record<string, string>>,
    call: {
      readonly lm: LanguageModel;
      readonly sampling: Sampling;
      /** Maximum number of further requests after an unusable reply. */
      readonly corrections: number;
    },
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** Runs a step through ax's `AxGen`: its prompt, its parsing, its corrections and assertions. */
export function axGenerator(
  parts: LaidOutParts,
  demonstrations: readonly PromptDemonstration[],
  /** Describes what is wrong with parsed outputs; ax then asks for a correction. */
  problemOf: (values: unknown) => string | null,
  { configure }: AxGeneratorOptions = {},
): AxGenerator {
  const { input, output } = fieldsForAx(parts);
  const signature = toAxSignature({
    input,
    // ax has no null: a nullable field is optional to ax, and the caller reads an absent one as
    // null.
    output: output.map((field) =>
      field.shape.kind === "nullable" ? { ...field, isOptional: true } : field,
    ),
    instruction: instructionPlaceholder,
  });
  const quoted = new Map(
    parts.output.flatMap(({ name, shape }) => {
      const labels = labelsIn(shape) ?? [];
      return arePlain(labels) ? [] : [[name, labels] as const];
    }),
  );
  const demos = demonstrations.map(({ inputs, outputs }) =>
    underAxNames<Json>({
      ...inputs,
      ...outputs,
      ...Object.fromEntries(
        [...quoted.keys()].flatMap((name) =>
          typeof outputs[name] === "string" ? [[name, JSON.stringify(outputs[name])]] : [],
        ),
      ),
    }),
  );
  const read = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(values).map(([axName, value]) => {
        const name = withOwnNames(axName);
        const label = quoted.get(name)?.find((each) => JSON.stringify(each) === value);
        return [name, label ?? value];
      }),
    );
  const template = new AxPromptTemplate(signature);
  // Traces, memory and usage accumulate in a generator; a new one per call costs microseconds.
  const fresh = (): AxGen => {
    const generator = new AxGen(signature);
    if (demos.length > 0) generator.setExamples(demos as never);
    generator.addAssert((values) => problemOf(read(values as JsonObject)) ?? true);
    configure?.(generator);
    return generator;
  };
  return {
    render: (values) =>
      withInstruction(
        template.render(underAxNames(values), { demos }).map((message) => ({
          role: message.role as LmMessage["role"],
          content: contentOf(message),
        })),
        parts,
      ),
    generate: async (values, { lm, sampling, corrections }) => {
      const speaking: LanguageModel = {
        identity: lm.identity,
        doGenerate: (request: LmRequest, options) =>
          lm.doGenerate(
            { ...request, messages: withInstruction(request.messages, parts) },
            options,
          ),
      };
      const service = axService({ lm: speaking, sampling });
      const made = await fresh().forward(service, underAxNames(values), {
        stream: false,
        maxRetries: corrections,
      });
      return read(made as JsonObject);
    },
  };
}

function withInstruction(
  messages: readonly LmMessage[],
  parts: LaidOutParts,
): readonly LmMessage[] {
  return messages.map((message) =>
    message.role === "system" && typeof message.content === "string"
      ? {
          ...message,
          content: placeInstruction(repairSystemMessage(message.content, parts), parts.instruction),
        }
      : message,
  );
}
