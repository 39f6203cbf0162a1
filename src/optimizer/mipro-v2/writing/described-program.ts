import type { Rollout } from "../../evaluation/index.ts";
import type { SearchSpace } from "../../task/search-space.ts";

/** Orders of steps that are shown, the most frequent first. */
const mostOrders = 5;
/** Calls of one order that are shown. */
const longestOrder = 30;

/** A program as far as it declares itself: steps, their texts, and how runs went through them. */
export function describedProgram(space: SearchSpace, rollouts: readonly Rollout[]): string {
  const { name, components } = space;
  const steps = components.flatMap((component) =>
    component.kind === "instruction"
      ? [`${space.describe(component)}\nIts instruction: ${component.value}`]
      : [],
  );
  const orders = new Map<string, number>();
  for (const { lesson } of rollouts) {
    const paths = (lesson?.steps ?? []).map(({ path }) => path);
    if (paths.length === 0) continue;
    const more = paths.length > longestOrder ? ` -> ... (${paths.length} calls)` : "";
    const order = paths.slice(0, longestOrder).join(" -> ") + more;
    orders.set(order, (orders.get(order) ?? 0) + 1);
  }
  const seen = [...orders].toSorted((one, other) => other[1] - one[1]).slice(0, mostOrders);
  return [
    `Program \`${name}\`.`,
    ...steps,
    ...(seen.length === 0
      ? []
      : [
          "Calls in the order of runs:",
          ...seen.map(([order, runs]) => `- ${order} (${runs} runs)`),
        ]),
  ].join("\n\n");
}
