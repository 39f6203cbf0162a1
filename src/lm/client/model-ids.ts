import { property } from "./property.ts";

/** Model ids for a message; a server may offer any number of models. */
export function offeredModels(ids: readonly string[]): string {
  const shown = ids.slice(0, 20).map((id) => `\`${id.slice(0, 100)}\``);
  const others = ids.length - shown.length;
  return `${shown.join(", ")}${others === 0 ? "" : ` and ${others} more`}`;
}

/** Ids in the body of `GET /models`; empty if it is not a model list. */
export function modelIds(body: unknown): readonly string[] {
  const data = property(body, "data");
  if (!Array.isArray(data)) return [];
  return data.map((model) => property(model, "id")).filter((id) => typeof id === "string");
}
