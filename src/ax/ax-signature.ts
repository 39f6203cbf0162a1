import type { AxIField } from "./ax.ts";
import { axGlobals, AxSignature } from "./ax.ts";
import type { Field, FieldShape } from "../signature/index.ts";
import { arePlain, axNameOf } from "./prompt-parts.ts";
import type { PromptParts } from "./prompt-parts.ts";

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
