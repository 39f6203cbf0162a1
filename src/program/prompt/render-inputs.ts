import type { JsonObject, PromptLayout } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { Field } from "../../signature/index.ts";
import { promptLayout } from "./prompt-layout.ts";
import { renderValueInLayout1 } from "./render-value-in-layout-1.ts";
import { renderValue } from "./render-value.ts";

/** Inputs as text; `"all"` also includes absent optional ones, as empty. */
export function renderInputs(
  fields: readonly Field[],
  values: JsonObject,
  which: "present" | "all" = "present",
  {
    layout = promptLayout,
    keepsChatTokens = false,
  }: { readonly layout?: PromptLayout; readonly keepsChatTokens?: boolean } = {},
): Record<string, string> {
  const render: typeof renderValueInLayout1 =
    layout === 1
      ? renderValueInLayout1
      : (shape, value) => renderValue(shape, value, { keepsChatTokens });
  return Object.fromEntries(
    fields
      .filter(({ name }) => which === "all" || getOwn(values, name) !== undefined)
      .map(({ name, shape }) => [name, render(shape, getOwn(values, name))]),
  );
}
