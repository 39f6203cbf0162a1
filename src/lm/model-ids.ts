import { fieldOf } from "./field-of.ts";

/** Ids in the body of `GET /models`; empty when it is not one. */
export function modelIds(body: unknown): readonly string[] {
  const data = fieldOf(body, "data");
  if (!Array.isArray(data)) return [];
  return data.map((model) => fieldOf(model, "id")).filter((id) => typeof id === "string");
}
