import type { JsonObject, PartialListener, RunOptions } from "../../contract/index.ts";
import type { FieldSchemas } from "../../signature/index.ts";

/** Passes on the outputs of calls as far as they are named like the program's own. */
export function hearingOutputs(
  names: FieldSchemas,
  onPartial: PartialListener | undefined,
): Pick<RunOptions, "onPartial"> {
  if (onPartial === undefined) return {};
  return {
    onPartial: (outputs, { growing, ...origin }) => {
      const known = Object.entries(outputs as JsonObject).filter(([name]) =>
        Object.hasOwn(names, name),
      );
      const [first] = growing ?? [];
      const isKnown = first === undefined || Object.hasOwn(names, first);
      // The program is not over when the call is.
      const open = growing !== null && isKnown ? growing : [];
      onPartial(Object.fromEntries(known), { ...origin, growing: open });
    },
  };
}
