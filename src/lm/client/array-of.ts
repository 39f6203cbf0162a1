import { z } from "zod";

/**
 * An array of a server's reply, read to its first bad element. `z.array` makes an issue of each,
 * which for a reply of a few mebibytes fills the memory.
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
