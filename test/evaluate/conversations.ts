import { randomSource } from "../../src/internal/index.ts";

/** Turns of conversations that share most of their luck: mean 0, most variance between clusters. */
export function conversations(index: number): number[][] {
  const { random, below } = randomSource(11, "conversations", index);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: 40 }, () => {
    const level = normal();
    return Array.from({ length: 1 + below(8) }, () => level + 0.3 * normal());
  });
}
