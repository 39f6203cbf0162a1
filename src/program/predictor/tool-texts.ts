import type { JsonObject } from "../../contract/index.ts";
import type { Predictor } from "./predictor.ts";

/**
 * The texts that an agent's tools show, with the tools' own descriptions: of each tool under its
 * name, and of each described argument under `tool.argument`. None for other predictors.
 */
export function toolTextsOf({
  driver,
}: Pick<Predictor, "driver">): readonly { readonly name: string; readonly description: string }[] {
  return (driver.tools ?? []).flatMap(({ name, description, parameters }) => [
    { name, description },
    ...Object.entries((parameters["properties"] ?? {}) as JsonObject).map(([argument, schema]) => ({
      name: `${name}.${argument}`,
      description: ((schema as JsonObject)["description"] ?? "") as string,
    })),
  ]);
}
