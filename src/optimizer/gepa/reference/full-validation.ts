import type { ValidationPolicy } from "../strategy/strategy.ts";

/** Every example of val, side by side. */
export function fullValidation(): ValidationPolicy {
  return { name: "full", order: (_, exampleIds) => [exampleIds] };
}
