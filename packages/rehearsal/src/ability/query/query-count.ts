import type { Steering } from "../../steering/index.ts";
import type { Material } from "../material/material.ts";
import { splitQuestion } from "./split-question.ts";
import { varyQueries } from "./vary-queries.ts";

/**
 * How many queries a list should hold: the number given by an input or the instruction, or three if
 * several are wanted.
 */
export function queryCount(steering: Steering, { count }: Pick<Material, "count">): number {
  if (count !== undefined) return count;
  for (const { text } of steering.clauses) {
    const match = countPattern.exec(text.toLowerCase());
    const count = match === null ? 0 : Number(match[1]) || numbers.indexOf(match[1] ?? "");
    if (count > 0) return count;
  }
  const several = Math.max(steering.level(varyQueries), steering.level(splitQuestion));
  return several > 0.3 ? 3 : 1;
}

const numbers: readonly string[] = "zero one two three four five six seven eight".split(" ");
const countPattern =
  /\b([1-8]|one|two|three|four|five|six|seven|eight) (?:\w+ ){0,3}(?:queries|searches|sub-?questions|questions|rewrites)\b/;
