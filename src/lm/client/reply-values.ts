import { z } from "zod";

/** A member of a value of unknown shape. */
export function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/**
 * An array in a server's reply, checked up to its first invalid element. `z.array` creates an issue
 * for every invalid element, which fills the memory for a reply of a few mebibytes.
 */
export function arrayOf<TElement>(element: z.ZodType<TElement>): z.ZodType<readonly TElement[]> {
  return z.array(z.unknown()).transform((values, context): readonly TElement[] => {
    const elements: TElement[] = [];
    for (const [index, value] of values.entries()) {
      const { success, data, error } = element.safeParse(value);
      if (!success) {
        const { path = [], message = "unreadable" } = error.issues[0] ?? {};
        context.addIssue({ code: "custom", path: [index, ...path], message });
        return z.NEVER;
      }
      elements.push(data);
    }
    return elements;
  });
}

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

/** An error that a server reported inside a reply, whole or streamed, under status 200. */
export class ReportedError extends Error {
  readonly body: unknown;

  constructor(body: unknown) {
    super("The server sent an error inside a reply");
    this.name = "ReportedError";
    this.body = body;
  }
}

/** The error that stands in a body: beside its choices, or inside the first. */
export function reportedError(body: unknown): ReportedError | undefined {
  const choices = property(body, "choices");
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const error = property(body, "error") || property(choice, "error");
  return error ? new ReportedError(error) : undefined;
}
