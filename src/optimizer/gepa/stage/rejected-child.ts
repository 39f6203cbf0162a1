import type { Component } from "../../../contract/index.ts";
import { componentId } from "../../../internal/index.ts";
import type { RejectionReason } from "../../candidate/candidate-record.ts";
import { componentText } from "../../candidate/components.ts";
import type { Decision } from "../state/decision.ts";
import type { Child } from "./reflect.ts";

/** Reasons that come after rollouts which say something of a child's texts. */
const trials: ReadonlySet<RejectionReason> = new Set([
  "not-better",
  "not-better-on-val",
  "not-selected",
]);

/** Rejects a child; the example that it addresses is skipped for a while. */
export function rejectedChild(
  child: Child,
  reason: Extract<
    RejectionReason,
    "duplicate" | "not-selected" | "not-better" | "not-better-on-val" | "low-coverage"
  >,
  detail: string,
): readonly Decision[] {
  const { changed, rollouts } = child;
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
            isDecided: reason === "not-better-on-val" && tried.length === 1,
          },
        ]
      : []),
    rejection(child, reason, detail),
  ];
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
