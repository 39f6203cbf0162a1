import type { JsonObject } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { Field } from "../../signature/index.ts";
import { isImage } from "../../signature/index.ts";
import type { ImageMarks } from "./image-marks.ts";
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
    keepsChatTokens = false,
    images,
  }: {
    readonly keepsChatTokens?: boolean;
    readonly images?: ImageMarks | undefined;
  } = {},
): Record<string, string> {
  const rendered = (field: Field, value: unknown): string => {
    if (images !== undefined && isImage(field)) return images.mark(value);
    const shown = renderValue(field.shape, value, { keepsChatTokens });
    return images?.without(shown) ?? shown;
  };
  return Object.fromEntries(
    fields
      .filter(({ name }) => which === "all" || getOwn(values, name) !== undefined)
      .map((field) => [field.name, rendered(field, getOwn(values, field.name))]),
  );
}
