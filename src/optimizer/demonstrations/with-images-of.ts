import type { JsonObject } from "../../contract/index.ts";
import { imagesByStandIn, mapTexts, standInsIn } from "../../internal/index.ts";

/**
 * A step's inputs with the images of its example in the place of their stand-ins; `null` where the
 * example has not all of them.
 */
export function withImagesOf(exampleInput: unknown, inputs: JsonObject): JsonObject | null {
  if (standInsIn(inputs).length === 0) return inputs;
  const known = imagesByStandIn(exampleInput);
  const whole = mapTexts(inputs, (text) => known.get(text) ?? text) as JsonObject;
  return standInsIn(whole).length === 0 ? whole : null;
}
