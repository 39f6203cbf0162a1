import { axGlobals, AxSignature } from "./ax.ts";
import { axInputField, axOutputField } from "./ax-field.ts";
import type { PromptParts } from "./prompt-parts.ts";

/**
 * Compiles a step to ax's signature. Every input is already text (see `renderField`), and ax gets
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
