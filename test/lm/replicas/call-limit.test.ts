import { describe, expect, it } from "vitest";
import type { CallLimit } from "../../../src/lm/replicas/call-limit.ts";
import { callLimit } from "../../../src/lm/replicas/call-limit.ts";

/** Runs as many calls as the limit allows, at a server with slots and a queue, in virtual time. */
function closedLoop(
  limit: CallLimit,
  {
    slots,
    calls,
    tellsQueue = false,
    serviceMs = () => 100,
  }: {
    readonly slots: number;
    readonly calls: number;
    readonly tellsQueue?: boolean;
    readonly serviceMs?: (running: number) => number;
  },
): readonly number[] {
  const seen: number[] = [];
  const running: { readonly startedMs: number; readonly endsMs: number }[] = [];
  const queued: number[] = [];
  let nowMs = 0;
  let polledMs = 0;
  for (let ended = 0; ended < calls; ended++) {
    while (running.length + queued.length < limit.maxCalls) queued.push(nowMs);
    while (running.length < slots && queued.length > 0) {
      const startedMs = queued.shift() ?? 0;
      running.push({ startedMs, endsMs: nowMs + serviceMs(running.length + 1) });
    }
    running.sort((left, right) => left.endsMs - right.endsMs);
    const done = running.shift();
    if (done === undefined) throw new Error("Nothing runs.");
    nowMs = done.endsMs;
    const isFull = running.length + queued.length + 1 >= limit.maxCalls;
    limit.answered({ startedMs: done.startedMs, endedMs: nowMs, work: 1, isFull });
    if (tellsQueue && nowMs - polledMs >= 50) {
      limit.queueSeen(queued.length, nowMs);
      polledMs = nowMs;
    }
    seen.push(limit.maxCalls);
  }
  return seen;
}

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

describe("the limit of one server", () => {
  it("doubles once per latency at first, and never passes its bound", () => {
    const limit = callLimit({ first: 4, most: 100 });
    const seen = closedLoop(limit, { slots: 1_000, calls: 4 + 8 + 16 });
    expect([seen[3], seen[11], seen[27]]).toEqual([8, 16, 32]);
    expect(Math.max(...closedLoop(limit, { slots: 1_000, calls: 5_000 }))).toBe(100);
  });

  it.each([2, 16, 60])("settles about %d slots where the server tells its queue", (slots) => {
    const limit = callLimit({ first: 8, most: 500 });
    const late = closedLoop(limit, { slots, calls: 200 * slots, tellsQueue: true }).slice(
      -50 * slots,
    );
    expect(meanOf(late)).toBeGreaterThan(0.9 * slots);
    expect(meanOf(late)).toBeLessThan(1.15 * slots + 2);
  });

  it.each([4, 16, 60])("settles near %d slots by latency alone", (slots) => {
    const limit = callLimit({ first: 8, most: 500 });
    const late = closedLoop(limit, { slots, calls: 400 * slots }).slice(-100 * slots);
    expect(meanOf(late)).toBeGreaterThan(0.9 * slots);
    expect(meanOf(late)).toBeLessThan(2 * slots + 2);
  });

  it("takes a server whose batch gets slower, and does more, for one that may have more", () => {
    const limit = callLimit({ first: 8, most: 256 });
    const serviceMs = (running: number): number => 100 * running ** 0.35;
    const seen = closedLoop(limit, { slots: 10_000, calls: 20_000, serviceMs });
    expect(seen.at(-1)).toBe(256);
  });

  it("halves once for all calls that a server refuses together, down to 1", () => {
    const limit = callLimit({ first: 8, most: 100 });
    for (let call = 0; call < 5; call++) limit.refused(0, 10);
    expect(limit.maxCalls).toBe(4);
    for (let nowMs = 20; nowMs < 100; nowMs += 10) limit.refused(nowMs, nowMs + 1);
    expect(limit.maxCalls).toBe(1);
  });

  it("does not grow while it is not used up", () => {
    const limit = callLimit({ first: 8, most: 100 });
    for (let nowMs = 0; nowMs < 1_000; nowMs += 10) {
      limit.answered({ startedMs: nowMs, endedMs: nowMs + 5, work: 1, isFull: false });
    }
    expect(limit.maxCalls).toBe(8);
  });

  it("starts slowly again after the server was away", () => {
    const limit = callLimit({ first: 8, most: 100 });
    closedLoop(limit, { slots: 1_000, calls: 500 });
    expect(limit.maxCalls).toBe(100);
    limit.restart();
    expect(limit.maxCalls).toBe(8);
    // Doubles up to half of what it was; by one per latency then.
    const seen = closedLoop(limit, { slots: 1_000, calls: 200 });
    expect(seen[41]).toBe(50);
    expect(seen[99]).toBe(51);
  });
});
