import { property } from "./property.ts";

/** Ids of models for a message, of which a server may offer any number. */
export function offeredModels(ids: readonly string[]): string {
  const shown = ids.slice(0, 20).map((id) => `\`${id.slice(0, 100)}\``);
  const others = ids.length - shown.length;
  return `${shown.join(", ")}${others === 0 ? "" : ` and ${others} more`}`;
}

/** Ids in the body of `GET /models`; empty when it is not one. */
export function modelIds(body: unknown): readonly string[] {
  const data = property(body, "data");
  if (!Array.isArray(data)) return [];
  return data.map((model) => property(model, "id")).filter((id) => typeof id === "string");
}
