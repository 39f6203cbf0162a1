import type { CallFault } from "./faults.ts";

/** One received call. */
export interface CallEntry {
  /** In order of arrival, from 0. */
  readonly index: number;
  /** Method and path: `POST /v1/chat/completions`. */
  readonly endpoint: string;
  /** The status sent, or `null` if nothing was sent. */
  readonly status: number | null;
  readonly fault: CallFault | "unparseable-content" | null;
  /** Drawn latency, in milliseconds. */
  readonly latencyMs: number;
  /** From arrival to the last byte written, in milliseconds. */
  readonly measuredMs: number;
  /** SHA-256 of the body; equal requests have equal hashes. */
  readonly requestHash: string;
}

export interface EndpointCount {
  readonly received: number;
  /** Counts by status sent; `"none"` if nothing was sent. */
  readonly byStatus: Readonly<Record<string, number>>;
  /** Requests that came again after a complete answer (2xx, no broken envelope). */
  readonly repeated: number;
}

export interface CallReport {
  readonly total: number;
  readonly byEndpoint: Readonly<Record<string, EndpointCount>>;
  readonly byFault: Readonly<Record<string, number>>;
  /** The latest calls, oldest first. */
  readonly log: readonly CallEntry[];
}

/** Counts calls and keeps the latest ones. */
export interface CallLog {
  /** Index of a call just received. */
  receive(): number;
  record(entry: CallEntry): void;
  report(): CallReport;
}

export function callLog({ kept }: { readonly kept: number }): CallLog {
  let received = 0;
  const log: CallEntry[] = [];
  const counts = new Map<
    string,
    { received: number; byStatus: Map<string, number>; repeated: number }
  >();
  const faults = new Map<string, number>();
  const answered = new Set<string>();
  return {
    receive: () => received++,
    record: (entry) => {
      const { endpoint, status, fault, requestHash } = entry;
      const count = counts.get(endpoint) ?? { received: 0, byStatus: new Map(), repeated: 0 };
      counts.set(endpoint, count);
      count.received += 1;
      const shown = status === null ? "none" : String(status);
      count.byStatus.set(shown, (count.byStatus.get(shown) ?? 0) + 1);
      if (fault !== null) faults.set(fault, (faults.get(fault) ?? 0) + 1);
      if (answered.has(requestHash)) count.repeated += 1;
      const isWhole = status !== null && status < 300 && !isBroken(fault);
      if (isWhole && requestHash !== "") answered.add(requestHash);
      log.push(entry);
      if (log.length > 2 * kept) log.splice(0, log.length - kept);
    },
    report: () => ({
      total: received,
      byEndpoint: Object.fromEntries(
        [...counts].map(([endpoint, { byStatus, ...count }]) => [
          endpoint,
          { ...count, byStatus: Object.fromEntries(byStatus) },
        ]),
      ),
      byFault: Object.fromEntries(faults),
      log: log.slice(-kept),
    }),
  };
}

function isBroken(fault: CallEntry["fault"]): boolean {
  return fault !== null && fault !== "unparseable-content";
}
