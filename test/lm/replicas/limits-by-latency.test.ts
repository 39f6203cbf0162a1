import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import type { LmReply } from "../../../src/contract/index.ts";
import type { Clock } from "../../../src/internal/index.ts";
import { replicas } from "../../../src/lm/replicas/replicas.ts";
import type { Replica } from "../../../src/lm/replicas/server-pool.ts";
import { reply, requestOf } from "../requests.ts";

/**
 * Servers with slots and a queue of their own, in virtual time: it goes on to the next reply when
 * all calls that can be made are made, however slow the machine is.
 */
function slottedServers(slotsOf: readonly number[], serviceMs: number) {
  const due: { readonly atMs: number; readonly answer: () => void }[] = [];
  const calls = slotsOf.map(() => 0);
  const maxInFlight = slotsOf.map(() => 0);
  let nowMs = 0;
  const clock: Clock = { now: () => nowMs, sleep: () => new Promise(() => {}) };
  const servers = slotsOf.map((slots, index): Replica => {
    const queue: (() => void)[] = [];
    let inFlight = 0;
    const begin = (answer: () => void): void => void due.push({ atMs: nowMs + serviceMs, answer });
    const doGenerate = (): Promise<LmReply> =>
      new Promise((done) => {
        const answer = (): void => {
          inFlight -= 1;
          done(reply);
          queue.shift()?.();
        };
        calls[index] = (calls[index] ?? 0) + 1;
        inFlight += 1;
        maxInFlight[index] = Math.max(maxInFlight[index] ?? 0, inFlight);
        if (inFlight <= slots) begin(answer);
        else queue.push(() => begin(answer));
      });
    const identity = { provider: "virtual", model: "m" };
    return { name: `server-${index}`, lm: { identity, doGenerate }, isHealthy: async () => true };
  });
  return {
    servers: servers as [Replica, ...Replica[]],
    clock,
    calls,
    maxInFlight,
    /** Lets time pass until the work is done. */
    async through(work: Promise<unknown>): Promise<void> {
      let isDone = false;
      void work.finally(() => (isDone = true));
      while (!isDone) {
        await setImmediate();
        const next = due.toSorted((one, other) => one.atMs - other.atMs)[0];
        if (next === undefined) continue;
        due.splice(due.indexOf(next), 1);
        nowMs = next.atMs;
        next.answer();
      }
      await work;
    },
  };
}

it("a server gets as many calls as it can take, by latency alone", async () => {
  const { servers, clock, calls, maxInFlight, through } = slottedServers([4, 24], 10);
  const lm = replicas(servers, { clock });
  const questions = Array.from({ length: 1_500 }, (_, number) =>
    lm.doGenerate(requestOf(`beginning ${number % 50}`)),
  );
  await through(Promise.all(questions));
  const [small = 0, large = 0] = calls;
  expect(small + large).toBe(1_500);
  expect(large).toBeGreaterThan(2 * small);
  // All 1,500 calls are there at once: without a limit, it would get a share of them.
  expect(maxInFlight[0]).toBeLessThan(100);
});
