import type { FieldShape } from "../signature/index.ts";

/** The labels of a field, or of the lists that it holds; `null` for a field without labels. */
export function labelsIn(shape: FieldShape): readonly string[] | null {
  switch (shape.kind) {
    case "label":
      return shape.options;
    case "list":
      return labelsIn(shape.items);
    case "nullable":
      return labelsIn(shape.of);
    default:
      return null;
  }
}

/** Whether a list of labels shows where each begins and ends; ax refuses others. */
export function arePlain(labels: readonly string[]): boolean {
  const isApart = new Set(labels.map((label) => label.toLowerCase())).size === labels.length;
  return (
    isApart && labels.every((label) => label !== "" && label === label.trim() && !edge.test(label))
  );
}

const edge = /[,|\p{Cc}\u2028\u2029]/u;

/** Labels for the model: as they are, or all of them as JSON where one needs quotes. */
export function labelList(labels: readonly string[]): string {
  return (arePlain(labels) ? labels : labels.map((label) => JSON.stringify(label))).join(", ");
}
