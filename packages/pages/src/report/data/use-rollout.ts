import { useEffect, useState } from "preact/hooks";
import type { ReplayedRollout } from "../../../../../src/report/index.ts";
import type { ComparisonIndex, Member } from "./comparison-index.ts";

/** One run, as far as the page has it. */
export type Shown =
  | { readonly state: "here"; readonly rollout: ReplayedRollout }
  | { readonly state: "asked" }
  | { readonly state: "missing"; readonly why: string };

const notHere = "This run was not replayed for this report, so it has no trace here.";

/** A run of a member on an example; one that the comparison does not hold is asked for. */
export function useRollout(index: ComparisonIndex, member: Member, position: number): Shown {
  const held = index.rollout(member, position);
  const mayAsk = held === undefined && index.canAsk(member);
  const name = `${member.source}:${member.candidate}:${position}`;
  const [answer, setAnswer] = useState<{ readonly name: string; readonly shown: Shown }>();
  useEffect(() => {
    if (!mayAsk) return undefined;
    let isLeft = false;
    const take = (shown: Shown): void => {
      if (!isLeft) setAnswer({ name, shown });
    };
    index.ask(member, position).then(
      (rollout) => take({ state: "here", rollout }),
      (error: unknown) =>
        take({ state: "missing", why: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isLeft = true;
    };
  }, [index, name, mayAsk]);
  if (held !== undefined) return { state: "here", rollout: held };
  if (!mayAsk) return { state: "missing", why: notHere };
  return answer?.name === name ? answer.shown : { state: "asked" };
}
