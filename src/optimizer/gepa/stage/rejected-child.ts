import type { Component } from "../../../contract/index.ts";
import { componentId } from "../../../internal/index.ts";
import type { RejectionReason } from "../../candidate/candidate-record.ts";
import { componentText } from "../../candidate/components.ts";
import type { Decision } from "../state/decision.ts";
import type { Trial } from "../state/search-state.ts";
import { gainOf } from "../strategy/acceptance.ts";
import { meansText } from "../strategy/score-pairs.ts";
import type { ScorePairs } from "../strategy/strategy.ts";
import type { Child } from "./reflect.ts";

/** Reasons that come after rollouts which say something of a child's texts. */
const trials: ReadonlySet<RejectionReason> = new Set([
  "not-better",
  "not-better-on-val",
  "not-selected",
]);

/**
 * Rejects a child; the example that it addresses is skipped for a while.
 *
 * @param pairs scores of it and its parent on the same examples
 */
export function rejectedChild(
  child: Child,
  reason: Extract<
    RejectionReason,
    "duplicate" | "not-selected" | "not-better" | "not-better-on-val" | "low-coverage"
  >,
  detail: string,
  pairs?: ScorePairs,
): readonly Decision[] {
  const { changed, components, rollouts } = child;
  const tried = newIn(child);
  return [
    ...rollouts.slice(0, 1).map((rollout): Decision => {
      return { kind: "lesson-failed", components: changed, rollout };
    }),
    ...(trials.has(reason)
      ? [
          {
            kind: "texts-tried" as const,
            components: tried,
            candidate: components,
            isDecided: reason === "not-better-on-val" && tried.length === 1,
            ...(pairs && trialOf(child, tried, pairs)),
          },
        ]
      : []),
    rejection(child, reason, detail),
  ];
}

/** Beside other new texts, scores say little of one. */
function trialOf(
  { parent }: Child,
  [component, ...others]: readonly Component[],
  pairs: ScorePairs,
): { readonly trial?: Trial } {
  if (component === undefined || others.length > 0 || pairs.child.length === 0) return {};
  // An acceptance may ask for more than a gain.
  if (gainOf(pairs) > 0) return {};
  const detail = `It was tried: ${meansText(pairs)}.`;
  const refused = { text: componentText(component), detail };
  return { trial: { parent: parent.id, component: componentId(component), refused } };
}

/** Rejects a child that was not tried: its texts and the example that it addresses stay open. */
export function droppedChild(child: Child, detail: string): readonly Decision[] {
  return [rejection(child, "not-selected", detail)];
}

function rejection(child: Child, reason: RejectionReason, detail: string): Decision {
  const tried = newIn(child);
  const texts = tried.map((component) => [componentId(component), componentText(component)]);
  return {
    kind: "rejected",
    rejection: {
      parents: [child.parent.id],
      components: tried.map(componentId),
      reason,
      detail,
      texts: Object.fromEntries(texts) as Record<string, string>,
    },
  };
}

/** The components with new texts. */
function newIn({ changed, components }: Child): readonly Component[] {
  const ids = new Set(changed.map(componentId));
  return components.filter((component) => ids.has(componentId(component)));
}
