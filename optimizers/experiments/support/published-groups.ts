import type { PublishedFigure } from "espalier";

/** A line of a table that breaks one figure down, by the names of our groups. */
export function publishedGroups(
  breakdown: "collection" | "standalone" | "turn",
  values: Readonly<Record<string, number>>,
  about: Omit<PublishedFigure, "value" | "group">,
): readonly PublishedFigure[] {
  return Object.entries(values).map(([name, value]) => ({
    value,
    ...about,
    group: { breakdown, name },
  }));
}
