import { componentId } from "../candidate/candidate-record.ts";
import { componentText } from "../candidate/component-text.ts";
import type { Child } from "./make-children.ts";
import { refuse } from "./refuse.ts";
import type { Search } from "./search.ts";

/** Notes that a child came to nothing, so that what it is about is passed over for a while. */
export function refuseChild(
  search: Search,
  { parent, changed, components, rollouts }: Child,
  reason: "duplicate" | "not-selected" | "not-better" | "not-better-on-val" | "low-coverage",
  detail: string,
): void {
  for (const rollout of rollouts.slice(0, 1)) search.lessons.fail(changed, rollout);
  const ids = new Set(changed.map(componentId));
  const texts = components.flatMap((component) =>
    ids.has(componentId(component)) ? [[componentId(component), componentText(component)]] : [],
  );
  refuse(search, {
    parents: [parent.id],
    components: [...ids],
    reason,
    detail,
    texts: Object.fromEntries(texts) as Record<string, string>,
  });
}
