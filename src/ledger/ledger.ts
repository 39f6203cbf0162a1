import type { LmReply, LmRole, LmUsage } from "../contract/index.ts";
import { sumKnown } from "../internal/index.ts";

/** Sums over calls. */
export interface LedgerCounts {
  readonly calls: number;
  /** The calls among `calls` that got no reply; their tokens are unknown and not counted. */
  readonly failedCalls: number;
  /**
   * Requests sent again after a fault, in addition to one per call; their tokens are unknown and
   * not counted. Only in billed counts; absent: none.
   */
  readonly retries?: number;
  /**
   * Replies among `calls` whose server did not say how many tokens they took; what it did not say
   * is not counted. Absent: none.
   */
  readonly uncountedCalls?: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** `null` as soon as one reply did not report it. */
  readonly cachedPromptTokens: number | null;
  /** Part of `completionTokens`; `null` as soon as one reply did not report it. */
  readonly reasoningTokens: number | null;
}

export interface LedgerEntry {
  /** As if nothing were cached. */
  readonly logical: LedgerCounts;
  /** What was sent to a server; failed calls are assumed to have been sent. */
  readonly billed: LedgerCounts;
}

export interface LedgerSnapshot {
  readonly total: LedgerEntry;
  readonly byRole: { readonly [Role in LmRole]?: LedgerEntry };
}

/** Counts the cost of calls, by role. */
export interface Ledger {
  add(role: LmRole, usage: LmUsage, source: LmReply["source"]): void;
  addFailure(role: LmRole): void;
  /** @param times @default 1 */
  addRetry(role: LmRole, times?: number): void;
  /** Adds the counts of another ledger. */
  merge(snapshot: LedgerSnapshot): void;
  /** Returns a copy as plain JSON. */
  snapshot(): LedgerSnapshot;
}

/** @param start counts to continue from, as after a restart */
export function ledger(start: LedgerSnapshot = emptySnapshot): Ledger {
  const byRole = new Map<LmRole, LedgerEntry>();

  const addEntry = (role: LmRole, { logical, billed }: LedgerEntry): void => {
    const entry = byRole.get(role) ?? emptyEntry;
    byRole.set(role, { logical: sum(entry.logical, logical), billed: sum(entry.billed, billed) });
  };
  const merge: Ledger["merge"] = (snapshot) => {
    for (const [role, entry] of Object.entries(snapshot.byRole)) addEntry(role as LmRole, entry);
  };
  merge(start);

  return {
    add: (role, usage, source) => {
      const logical = { ...usage, calls: 1, failedCalls: 0, ...countedTokens(usage) };
      addEntry(role, { logical, billed: source === "server" ? logical : none });
    },
    addFailure: (role) => {
      const failed = { ...none, calls: 1, failedCalls: 1 };
      addEntry(role, { logical: failed, billed: failed });
    },
    addRetry: (role, times = 1) => {
      addEntry(role, { logical: none, billed: { ...none, retries: times } });
    },
    merge,
    snapshot: () => ({
      // A tool is no LM.
      total: [...byRole].reduce(
        (total, [role, { logical, billed }]) =>
          role === "tool"
            ? total
            : {
                logical: sum(total.logical, logical),
                billed: sum(total.billed, billed),
              },
        emptyEntry,
      ),
      byRole: Object.fromEntries(byRole),
    }),
  };
}

/** The tokens of one reply as sums count them: what its server did not say is not counted. */
export function countedTokens({
  promptTokens,
  completionTokens,
}: Pick<LmUsage, "promptTokens" | "completionTokens">): Pick<
  LedgerCounts,
  "uncountedCalls" | "promptTokens" | "completionTokens"
> {
  const isCounted = promptTokens !== null && completionTokens !== null;
  return {
    ...(!isCounted && { uncountedCalls: 1 }),
    promptTokens: promptTokens ?? 0,
    completionTokens: completionTokens ?? 0,
  };
}

const none: LedgerCounts = {
  calls: 0,
  failedCalls: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedPromptTokens: 0,
  reasoningTokens: 0,
};
const emptyEntry: LedgerEntry = { logical: none, billed: none };
const emptySnapshot: LedgerSnapshot = { total: emptyEntry, byRole: {} };

function sum(left: LedgerCounts, right: LedgerCounts): LedgerCounts {
  const retries = (left.retries ?? 0) + (right.retries ?? 0);
  const uncountedCalls = (left.uncountedCalls ?? 0) + (right.uncountedCalls ?? 0);
  return {
    calls: left.calls + right.calls,
    failedCalls: left.failedCalls + right.failedCalls,
    ...(retries > 0 && { retries }),
    ...(uncountedCalls > 0 && { uncountedCalls }),
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
    cachedPromptTokens: sumKnown(left.cachedPromptTokens, right.cachedPromptTokens),
    reasoningTokens: sumKnown(left.reasoningTokens, right.reasoningTokens),
  };
}
