import type { LanguageModel, LmMessage, LmRequest, Sampling } from "../contract/index.ts";
import { AxGen, AxPromptTemplate } from "./ax.ts";
import { axService } from "./ax-service.ts";
import { toAxSignature } from "./ax-signature.ts";
import type { ConfiguredGenerator } from "./configured-generator.ts";
import { instructionPlaceholder, placeInstruction } from "./instruction-placeholder.ts";
import { markUndescribed, repairSystemMessage } from "./repair-system-message.ts";
import type { LaidOutParts } from "./prompt-parts.ts";
import type { PromptDemonstration } from "./prompt-template.ts";
import { contentOf } from "./prompt-template.ts";

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
  const isRepaired = parts.layout > 1;
  const signature = toAxSignature({
    ...parts,
    // ax has no null: a nullable field is optional to ax, and the caller reads an absent one as
    // null.
    output: (isRepaired ? markUndescribed(parts.output) : parts.output).map((field) =>
      field.shape.kind === "nullable" ? { ...field, isOptional: true } : field,
    ),
    instruction: instructionPlaceholder,
  });
  const demos = demonstrations.map(({ inputs, outputs }) => ({ ...inputs, ...outputs }));
  const template = new AxPromptTemplate(signature);
  // Traces, memory and usage accumulate in a generator; a new one per call costs microseconds.
  const fresh = (): AxGen => {
    const generator = new AxGen(signature);
    if (demos.length > 0) generator.setExamples(demos as never);
    generator.addAssert((values: unknown) => problemOf(values) ?? true);
    configure?.(generator);
    return generator;
  };
  return {
    render: (values) =>
      withInstruction(
        template.render(values, { demos: demos }).map((message) => ({
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
      return fresh().forward(axService({ lm: speaking, sampling }), values, {
        stream: false,
        maxRetries: corrections,
      }) as Promise<Readonly<Record<string, unknown>>>;
    },
  };
}

function withInstruction(
  messages: readonly LmMessage[],
  parts: LaidOutParts,
): readonly LmMessage[] {
  const repaired = (content: string): string =>
    parts.layout > 1 ? repairSystemMessage(content, parts) : content;
  return messages.map((message) =>
    message.role === "system" && typeof message.content === "string"
      ? { ...message, content: placeInstruction(repaired(message.content), parts.instruction) }
      : message,
  );
}
