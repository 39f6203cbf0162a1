import { z } from "zod";
import type { JsonSchema } from "../../../../contract/index.ts";

/** A client's JSON schema; the server's limits on depth and size hold for it. */
export const jsonSchema: z.ZodType<JsonSchema> = z.custom<JsonSchema>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected a JSON schema",
);
