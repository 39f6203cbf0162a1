import type { ValidationPolicy } from "../../../src/optimizer/gepa/strategy/strategy.ts";

/** Every example of val, side by side. */
export function fullValidation(): ValidationPolicy {
  return { name: "full", order: (_, exampleIds) => [exampleIds] };
}
