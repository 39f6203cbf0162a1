import { AxPromptTemplate } from "@ax-llm/ax";
import type { JsonObject, LmMessage } from "../contract/index.ts";
import type { PromptParts } from "./ax-signature.ts";
import { toAxSignature } from "./ax-signature.ts";
import { instructionPlaceholder, placeInstruction } from "./instruction-placeholder.ts";

/** A worked case as it is shown; fields that are absent are not shown. */
export interface PromptDemonstration {
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: JsonObject;
}

export interface PromptTemplate {
  /** One system message, a user and an assistant message per demonstration, one user message. */
  render(values: Readonly<Record<string, string>>): readonly LmMessage[];
}

/**
 * A prompt for steps that answer in JSON, laid out by ax's template. What varies least stands first,
 * so that a server's prefix cache holds everything up to the last message.
 *
 * The instruction stands in it word for word. ax drops empty inputs: a value must not be empty.
 */
export function promptTemplate(
  parts: PromptParts,
  demonstrations: readonly PromptDemonstration[],
): PromptTemplate {
  const template = new AxPromptTemplate(
    toAxSignature({ ...parts, instruction: instructionPlaceholder }),
    {
      structuredOutput: true,
      includeOptionalInputFieldsInSystemPrompt: true,
    },
  );
  const demos = demonstrations.map(({ inputs, outputs }) => ({ ...inputs, ...outputs }));
  const render = (values: Readonly<Record<string, string>>, skipSystemPrompt: boolean) =>
    template
      .render(values, { skipSystemPrompt, demos: demos as Record<string, string>[] })
      .map((message) => ({ role: message.role as LmMessage["role"], content: contentOf(message) }));
  // Everything before the last message is the same in every call, and dear to make.
  let shared: readonly LmMessage[] | undefined;
  const sharedMessages = (values: Readonly<Record<string, string>>): readonly LmMessage[] => {
    const [system, ...shown] = render(values, false).slice(0, -1) as [LmMessage, ...LmMessage[]];
    const content = placeInstruction(system.content, parts.instruction);
    return [{ ...system, content }, ...shown];
  };
  return {
    render: (values) => {
      shared ??= sharedMessages(values);
      return [...shared, ...render(values, true).slice(-1)];
    },
  };
}

/** The text of an ax message, which may come in pieces. */
export function contentOf(message: { readonly content?: unknown }): string {
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((piece: { readonly text?: string }) => piece.text ?? "").join("");
}
