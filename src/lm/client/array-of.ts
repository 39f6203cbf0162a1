import { z } from "zod";

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
