import type { LmRole } from "../../contract/index.ts";
import type { LedgerEntry, LedgerSnapshot } from "../../ledger/index.ts";
import { ledger } from "../../ledger/index.ts";
import { mayBeBilled, neverSent } from "../budget/index.ts";
import type { Sent, WorkLine } from "./journal-lines.ts";

/** What the calls in a file of recorded work cost. */
export interface CallCosts {
  /** Lines that tell of no call are ignored. */
  take(line: WorkLine): void;
  /**
   * Charges the calls without an end: they are no longer awaited, so they were sent, but their
   * cost is unknown.
   */
  end(): void;
  /** Each reply counts once in `logical`. */
  snapshot(): LedgerSnapshot;
  /** What was sent to a server, by role. */
  billed(): { readonly [Role in LmRole]?: LedgerEntry["billed"] };
  /** Maximum total cost, in US dollars, of calls with an unknown end. */
  readonly unendedUsd: number;
  /**
   * Keys of the calls that may have been made although no reply is on file: those without an end at
   * the last `end`, and those that failed after they were let through.
   */
  readonly unended: ReadonlySet<string>;
  /** Number of calls that returned no reply that could be kept, since the last `end`. */
  readonly unsaved: number;
}

export function callCosts(): CallCosts {
  const inFlight = new Map<string, readonly Sent[]>();
  const costs = ledger();
  let unendedUsd = 0;
  const unended = new Set<string>();
  let isEnding = false;
  let ended = 0;
  return {
    take: (line) => {
      if (line.kind === "sent") {
        inFlight.set(line.key, [...(inFlight.get(line.key) ?? []), line]);
      }
      if (line.kind === "sent-again") {
        costs.addRetry(inFlight.get(line.key)?.[0]?.role ?? "student");
        unendedUsd += line.lostUsd ?? 0;
      }
      if (line.kind === "reply") {
        const { role } = endOf(inFlight, line.key);
        costs.add(role, line.reply.usage, line.reply.source);
      }
      if (line.kind === "failed") {
        const { role, worstUsd = 0 } = endOf(inFlight, line.key);
        if (!neverSent(line.failure)) {
          costs.addFailure(role);
          unended.add(line.key);
        }
        if (mayBeBilled(line.failure)) unendedUsd += worstUsd;
        // A failed write ends the run and everything in flight.
        isEnding ||= line.failure.code === "write-failed";
        if (isEnding) ended++;
      }
    },
    end: () => {
      for (const key of inFlight.keys()) unended.add(key);
      for (const { role, worstUsd = 0 } of [...inFlight.values()].flat()) {
        costs.addFailure(role);
        unendedUsd += worstUsd;
      }
      inFlight.clear();
      isEnding = false;
      ended = 0;
    },
    snapshot: () => costs.snapshot(),
    billed: () => {
      const { byRole } = costs.snapshot();
      return Object.fromEntries(Object.entries(byRole).map(([role, { billed }]) => [role, billed]));
    },
    get unendedUsd() {
      return unendedUsd;
    },
    unended,
    get unsaved() {
      return ended + [...inFlight.values()].reduce((sum, { length }) => sum + length, 0);
    },
  };
}

function endOf(inFlight: Map<string, readonly Sent[]>, key: string): Sent {
  const [sent = { role: "student", worstUsd: 0 }, ...others] = inFlight.get(key) ?? [];
  if (others.length > 0) inFlight.set(key, others);
  else inFlight.delete(key);
  return sent;
}
