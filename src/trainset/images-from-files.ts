import { resolve } from "node:path";
import { isObject } from "../internal/index.ts";
import type { FieldSchemas } from "../signature/index.ts";
import { isImageSchema } from "../signature/index.ts";
import { readImage } from "./read-image.ts";

/** Where the paths of images come from. */
export interface ImagePlace {
  /** The folder that paths are relative to. */
  readonly folder: string;
  /** Names a field and what holds it, for errors. */
  readonly where: (field: string) => string;
}

/**
 * A copy of inputs in which paths to images are the images themselves; addresses, `data:` URLs and
 * all other fields stay. The inputs themselves if nothing changed.
 *
 * @throws EspalierError as `readImage`
 */
export async function imagesFromFiles<TInputs>(
  inputs: TInputs,
  fields: FieldSchemas,
  { folder, where }: ImagePlace,
): Promise<TInputs> {
  if (!isObject(inputs)) return inputs;
  const read = async (value: unknown, field: string): Promise<unknown> =>
    typeof value === "string" && !isUrl(value)
      ? readImage(resolve(folder, value), where(field))
      : value;
  const changed: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(fields)) {
    if (!Object.hasOwn(inputs, name) || !isImageSchema(schema)) continue;
    const value = inputs[name];
    changed[name] = Array.isArray(value)
      ? await Promise.all(value.map((item: unknown, place) => read(item, `${name}.${place}`)))
      : await read(value, name);
  }
  return Object.keys(changed).length === 0 ? inputs : { ...inputs, ...changed };
}

function isUrl(text: string): boolean {
  return /^(?:https?|data):/i.test(text);
}
