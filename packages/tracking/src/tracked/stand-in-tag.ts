import type { StandIn } from "../../../../src/stand-in/index.ts";

/** Names the parts that stand-ins played, so that their figures are not taken for a model's. */
export function standInTag(standIns: readonly StandIn[]): Readonly<Record<string, string>> {
  if (standIns.length === 0) return {};
  const parts = standIns.map(({ part, model }) => `${part} (${model})`).join(", ");
  return { "espalier.stand-ins": parts };
}
