import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TextScore, TextTask } from "espalier/optimizer";

/** One task of the yardstick: `task.json` of ../shared/bench/gepa says what each field means. */
export interface YardstickTask {
  readonly seed: number;
  readonly variant: "additive" | "conflict";
  readonly train: readonly YardstickExample[];
  readonly val: readonly YardstickExample[];
  readonly test: readonly YardstickExample[];
}

export type YardstickExample = {
  readonly id: string;
  readonly component: string;
  readonly required: readonly string[];
  readonly forbidden: readonly string[];
};

export interface Yardstick {
  readonly seedTexts: Readonly<Record<string, string>>;
  readonly tasks: readonly YardstickTask[];
}

export function readYardstick(folder: string): Yardstick {
  const { tasks, seed_candidate: seedTexts } = JSON.parse(
    readFileSync(join(folder, "task.json"), "utf8"),
  ) as { tasks: YardstickTask[]; seed_candidate: Record<string, string> };
  return { tasks, seedTexts };
}

/** The share of required keywords, less half the share of forbidden ones. */
export function yardstickScore(
  variant: YardstickTask["variant"],
  { component, required, forbidden }: YardstickExample,
  texts: Readonly<Record<string, string>>,
): number {
  const words = new Set((texts[component] ?? "").split(/\s+/));
  const share = (keywords: readonly string[]): number =>
    keywords.filter((keyword) => words.has(keyword)).length / keywords.length;
  const score = share(required);
  return variant === "conflict" ? Math.max(0, score - 0.5 * share(forbidden)) : score;
}

export function meanScore(
  { variant }: YardstickTask,
  examples: readonly YardstickExample[],
  texts: Readonly<Record<string, string>>,
): number {
  const scores = examples.map((example) => yardstickScore(variant, example, texts));
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/**
 * The directive for an example that is not perfect: its first missing keyword, or the first
 * forbidden.
 */
function directive(
  { component, required, forbidden }: YardstickExample,
  texts: Readonly<Record<string, string>>,
): string {
  const words = new Set((texts[component] ?? "").split(/\s+/));
  const missing = required.find((keyword) => !words.has(keyword));
  if (missing !== undefined) return `ADD ${missing}`;
  return `REMOVE ${forbidden.find((keyword) => words.has(keyword)) ?? ""}`;
}

/** The yardstick as a text task. Validation examples score, and give no feedback at all. */
export function yardstickTextTask(
  task: YardstickTask,
  seedTexts: Readonly<Record<string, string>>,
): TextTask<YardstickExample> {
  const byId = (examples: readonly YardstickExample[]): Record<string, YardstickExample> =>
    Object.fromEntries(examples.map((example) => [example.id, example]));
  const train = byId(task.train);
  return {
    name: `yardstick-${task.variant}-${task.seed}`,
    version: "1",
    texts: seedTexts,
    train,
    val: byId(task.val),
    evaluate: (texts, example): TextScore => {
      const score = yardstickScore(task.variant, example, texts);
      const ran = [example.component];
      if (score >= 1 || train[example.id] === undefined) return { score, ran };
      return {
        score,
        ran,
        feedback: { [example.component]: directive(example, texts) },
        inputs: { id: example.id },
        outputs: { score: score.toFixed(3) },
      };
    },
  };
}
