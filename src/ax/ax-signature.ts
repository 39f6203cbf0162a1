import { axGlobals, AxSignature } from "./ax.ts";
import { axInputField, axOutputField } from "./ax-field.ts";
import type { PromptParts } from "./prompt-parts.ts";

/**
 * Compiles a step to ax's signature. Every input is text by then (see `renderField`), and no zod
 * schema is handed over: ax loses enums, item types and nullability when it reads one.
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
 * ax refuses names such as `text` and `result` unless a global is off. It reads that global only
 * while it constructs, synchronously, so switching it for that moment is seen by nobody else.
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
