import type { FieldShape } from "./schema/field-shape.ts";
import { unrepresentable } from "./schema/unrepresentable.ts";

type Constant = number | boolean | null;

/** The shape of a value that is one of these: labels, constants, or a union of both. */
export function constantShape(values: readonly unknown[], where: string): FieldShape {
  const options = values.filter((value) => typeof value === "string");
  const others = values.filter(isConstant);
  if (values.length === 0 || options.length + others.length < values.length) {
    throw unrepresentable(
      where,
      "a literal that JSON cannot hold",
      "Use strings, finite numbers, true, false or null; .optional() for a value that may be absent",
    );
  }
  const broken = options.find((option) => !option.isWellFormed());
  if (broken !== undefined) {
    throw unrepresentable(
      where,
      `the label ${JSON.stringify(broken)}, half of a character`,
      "Write the whole character",
    );
  }
  if (others.length === 0) return { kind: "label", options };
  if (options.length === 0) return { kind: "constant", values: others };
  return {
    kind: "union",
    of: [
      { kind: "label", options },
      { kind: "constant", values: others },
    ],
  };
}

function isConstant(value: unknown): value is Constant {
  return value === null || typeof value === "boolean" || Number.isFinite(value);
}
