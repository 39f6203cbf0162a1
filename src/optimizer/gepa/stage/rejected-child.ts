import { componentId } from "../../../internal/index.ts";
import type { RejectionReason } from "../../candidate/candidate-record.ts";
import { componentText } from "../../candidate/component-text.ts";
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
  { parent, changed, components, rollouts }: Child,
  reason: Extract<
    RejectionReason,
    "duplicate" | "not-selected" | "not-better" | "not-better-on-val" | "low-coverage"
  >,
  detail: string,
): readonly Decision[] {
  const ids = new Set(changed.map(componentId));
  const tried = components.filter((component) => ids.has(componentId(component)));
  const texts = tried.map((component) => [componentId(component), componentText(component)]);
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
          },
        ]
      : []),
    {
      kind: "rejected",
      rejection: {
        parents: [parent.id],
        components: [...ids],
        reason,
        detail,
        texts: Object.fromEntries(texts) as Record<string, string>,
      },
    },
  ];
}
