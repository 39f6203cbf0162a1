import { contentHash } from "../../internal/index.ts";
import type { OptimizerTask } from "./optimizer-task.ts";

/** Of all that labels say of train, by predictor and example. */
export function hashOfGold<TInput, TOutput, TLabels>({
  gold = {},
  trainset: { splits },
}: Pick<OptimizerTask<TInput, TOutput, TLabels>, "gold" | "trainset">): string {
  const parts = Object.entries(gold).map(([name, partOf]) => [name, splits.train.map(partOf)]);
  return contentHash(parts);
}
