import type { JsonObject, PromptLayout } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { Field } from "../../signature/index.ts";
import { isImage } from "../../signature/index.ts";
import type { ImageMarks } from "./image-marks.ts";
import { promptLayout } from "./prompt-layout.ts";
import { renderValueInLayout1 } from "./render-value-in-layout-1.ts";
import { renderValue } from "./render-value.ts";

/**
 * Inputs as text; `"all"` also includes absent optional ones, as empty. `images` marks the place of
 * each picture; without it there are none.
 */
export function renderInputs(
  fields: readonly Field[],
  values: JsonObject,
  which: "present" | "all" = "present",
  {
    layout = promptLayout,
    keepsChatTokens = false,
    images,
  }: {
    readonly layout?: PromptLayout;
    readonly keepsChatTokens?: boolean;
    readonly images?: ImageMarks | undefined;
  } = {},
): Record<string, string> {
  const render: typeof renderValueInLayout1 =
    layout === 1
      ? renderValueInLayout1
      : (shape, value) => renderValue(shape, value, { keepsChatTokens });
  const rendered = (field: Field, value: unknown): string => {
    if (images === undefined) return render(field.shape, value);
    return isImage(field) ? images.mark(value) : images.without(render(field.shape, value));
  };
  return Object.fromEntries(
    fields
      .filter(({ name }) => which === "all" || getOwn(values, name) !== undefined)
      .map((field) => [field.name, rendered(field, getOwn(values, field.name))]),
  );
}
