import type { Budget, Cap } from "../budget/index.ts";

/** What the run's end says of the cap that ends it. It tells no figures, which may depend on timing. */
export interface BudgetEnd {
  /** In a few words; `undefined` as long as no cap stood in the way of anything. */
  readonly detail: string | undefined;
  /** A need that did not fit. */
  noteUnfit(cap: Cap): void;
  /** A step that was cut short. */
  noteCut(cap: Cap): void;
  /** In a resumed run: what its journal says. */
  noteRecorded(detail: string | undefined): void;
}

export function budgetEnd(budget: Budget): BudgetEnd {
  let detail: string | undefined;
  const note = (...caps: readonly Cap[]): void => {
    const names = caps.map((cap) => `\`${cap}\``).join(" or ");
    detail = `the next step could exceed ${names}`;
  };
  return {
    get detail() {
      return detail;
    },
    noteUnfit: (cap) => note(cap),
    noteCut: (cap) => {
      // Which of the two a call meets first depends on which others have ended.
      const isEither = (cap === "lmCalls" || cap === "tokens") && hasBoth(budget);
      if (isEither) note("lmCalls", "tokens");
      else note(cap);
    },
    noteRecorded: (recorded) => {
      detail = recorded;
    },
  };
}

function hasBoth({ lmCalls, tokens }: Budget): boolean {
  return lmCalls !== undefined && tokens !== undefined;
}
