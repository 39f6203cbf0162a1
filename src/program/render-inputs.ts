import type { JsonObject } from "../contract/index.ts";
import type { Field } from "../signature/index.ts";
import { ownValue } from "../internal/index.ts";
import { renderValue } from "./render-value.ts";

/** Inputs as text; `"all"` also shows the optional ones that are absent, as empty. */
export function renderInputs(
  fields: readonly Field[],
  values: JsonObject,
  which: "present" | "all" = "present",
): Record<string, string> {
  return Object.fromEntries(
    fields
      .filter(({ name }) => which === "all" || ownValue(values, name) !== undefined)
      .map(({ name, shape }) => [name, renderValue(shape, ownValue(values, name))]),
  );
}
