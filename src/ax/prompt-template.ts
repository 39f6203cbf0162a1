import type { Json, JsonObject, LmMessage, LmTextMessage } from "../contract/index.ts";
import { AxPromptTemplate, axGlobals, AxSignature } from "./ax.ts";
import { fieldsForAx, repairSystemMessage } from "./repair-system-message.ts";
import type { PromptParts } from "./prompt-parts.ts";
import { axNameOf, underAxNames, withOwnNames } from "./prompt-parts.ts";
import type { AxIField } from "./ax.ts";
import type { Field, FieldShape } from "../signature/index.ts";
import { arePlain } from "../signature/index.ts";

/** A worked case as the prompt shows it; absent fields are not shown. */
export interface PromptDemonstration {
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: JsonObject;
}

export interface PromptTemplate {
  /** One system message, a user and an assistant message per demonstration, one user message. */
  render(values: Readonly<Record<string, string>>): readonly LmTextMessage[];
}

/**
 * A prompt for steps that answer in JSON, laid out by ax's template. The parts that vary least come
 * first, so that a server's prefix cache holds everything up to the last message.
 *
 * It contains the instruction word for word. Values must not be empty, since ax drops empty inputs.
 */
export function promptTemplate(
  parts: PromptParts,
  demonstrations: readonly PromptDemonstration[],
): PromptTemplate {
  const template = new AxPromptTemplate(
    toAxSignature({ ...fieldsForAx(parts), instruction: instructionPlaceholder }),
    {
      structuredOutput: true,
      includeOptionalInputFieldsInSystemPrompt: true,
    },
  );
  const demos = demonstrations.map(({ inputs, outputs }) =>
    underAxNames<Json>({ ...inputs, ...outputs }),
  );
  const names = parts.input.map(({ name }) => name);
  // ax lays out the whole prompt again in every call, though only the values change. So we call it
  // once, with marks in place of the values, and later only replace the marks.
  let layout: Layout | undefined;
  const layOut = (): Layout => {
    const marked = Object.fromEntries(names.map((name, index) => [axNameOf(name), markOf(index)]));
    const messages = template.render(marked, { demos: demos }).map((message) => ({
      role: message.role as LmMessage["role"],
      content: withOwnNames(contentOf(message)),
    }));
    const [system, ...shown] = messages.slice(0, -1) as [LmTextMessage, ...LmTextMessage[]];
    const repaired = repairSystemMessage(system.content, parts);
    const content = placeInstruction(repaired, parts.instruction);
    const last = messages.at(-1)?.content ?? "";
    return { shared: [{ ...system, content }, ...shown], pieces: last.split(marks) };
  };
  return {
    render: (values) => {
      layout ??= layOut();
      // Splitting at marks puts the texts at even indices and the marks' contents at odd ones.
      const content = layout.pieces
        .map((piece, index) =>
          index % 2 === 0 ? piece : (values[names[Number(piece)] ?? ""] ?? ""),
        )
        .join("");
      return [...layout.shared, { role: "user", content }];
    },
  };
}

interface Layout {
  /** Everything before the last message; identical in every call. */
  readonly shared: readonly LmTextMessage[];
  readonly pieces: readonly string[];
}

// Neither ax's own texts nor a field's title can contain a private-use character.
const marks = /\uE000(\d+)\uE000/;

function markOf(index: number): string {
  return `\uE000${index}\uE000`;
}

/** The text of an ax message, which may come in pieces. */
function contentOf(message: { readonly content?: unknown }): string {
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((piece: { readonly text?: string }) => piece.text ?? "").join("");
}

/**
 * Stands in for the instruction while ax lays out a prompt. ax would capitalise the instruction,
 * end it with a full stop and rewrite words that are field names; the executed instruction must be
 * the declared one, word for word.
 */
// Private-use characters, so that no description contains it by accident.
const instructionPlaceholder = "\uE001The instruction stands here\uE001.";

/** Replaces the placeholder with the instruction. */
function placeInstruction(prompt: string, instruction: string): string {
  return prompt.replace(instructionPlaceholder, () => instruction);
}

/**
 * Compiles a step to ax's signature. Every input is already text, and ax gets
 * no zod schema: it loses enums, item types and nullability when it reads one.
 */
export function toAxSignature({ instruction, input, output }: PromptParts): AxSignature {
  return allowingAnyFieldName(() =>
    AxSignature.from({
      description: instruction,
      inputs: input.map(axInputField),
      outputs: output.map(axOutputField),
    }),
  );
}

/**
 * ax rejects names such as `text` and `result` unless a global is off. It reads that global only
 * during construction, synchronously, so no other code sees the brief change.
 */
function allowingAnyFieldName<TMade>(make: () => TMade): TMade {
  const { signatureStrict } = axGlobals;
  axGlobals.signatureStrict = false;
  try {
    return make();
  } finally {
    axGlobals.signatureStrict = signatureStrict;
  }
}

/** An input reaches ax as rendered text, whatever its shape. */
function axInputField(field: Field): AxIField {
  return { ...axName(field), type: { name: "string" } };
}

/** An output keeps its shape, since ax tells the model what to write. */
function axOutputField(field: Field): AxIField {
  const { isOptional, shape } = field;
  // ax adds its own full stop to a label's description.
  const named = axName(
    shape.kind === "label"
      ? { ...field, description: field.description.replace(/\.$/, "") }
      : field,
  );
  return { ...named, isOptional, type: axType(shape) };
}

function axName({ name, description }: Field): {
  name: string;
  title: string;
  description?: string;
} {
  return {
    name: axNameOf(name),
    title: axTitleOf(name),
    ...(description === "" ? {} : { description }),
  };
}

/** `missingInfo` is shown as "Missing Info". */
function axTitleOf(name: string): string {
  const words = name.replaceAll(/([A-Z]+|\d+)/g, " $1").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type AxType = NonNullable<AxIField["type"]>;

function axType(shape: FieldShape): AxType {
  switch (shape.kind) {
    case "text":
      return { name: "string" };
    case "label":
      return arePlain(shape.options)
        ? { name: "class", options: [...shape.options] }
        : { name: "string" };
    case "number":
      return { name: "number" };
    case "boolean":
      return { name: "boolean" };
    case "list":
      // ax shows one level of list; a list of lists is shown as JSON.
      return shape.items.kind === "list"
        ? { name: "json" }
        : { ...axType(shape.items), isArray: true };
    case "object":
      return {
        name: "object",
        fields: Object.fromEntries(
          shape.fields.map((field) => [
            field.name,
            {
              ...axType(field.shape),
              type: axType(field.shape).name,
              isOptional: field.isOptional,
              ...(field.description === "" ? {} : { description: field.description }),
            },
          ]),
        ),
      };
    case "nullable":
      return axType(shape.of);
    // ax has no words for these; the JSON shape below its fields shows them.
    case "constant":
    case "tuple":
    case "record":
    case "union":
    case "reference":
    case "passages":
    case "conversation":
    case "image":
      return { name: "json" };
  }
}
