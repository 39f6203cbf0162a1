import { describe, expect, it } from "vitest";
import { EspalierError } from "../../../../src/index.ts";
import type { Clock } from "../../../../src/internal/index.ts";
import { courier } from "../../src/live/courier.ts";

const fault = (code: "tracking-failed" | "tracking-refused"): EspalierError =>
  new EspalierError({ code, problem: "It broke" });

/** Sleeps until it is told to go on, or for ever. */
function heldClock(): Clock & { readonly asked: number[]; release(): void } {
  const asked: number[] = [];
  let held: (() => void)[] = [];
  return {
    asked,
    now: () => 0,
    sleep: (durationMs, signal) =>
      new Promise((done, failed) => {
        asked.push(durationMs);
        held.push(done);
        signal?.addEventListener("abort", () => failed(signal.reason), { once: true });
      }),
    release: () => {
      for (const done of held) done();
      held = [];
    },
  };
}

describe("a courier", () => {
  it("sends piece after piece, and has nothing to wait for then", async () => {
    const sent: number[] = [];
    const { wake, end } = courier({ next: async () => sent.push(sent.length) < 3 });
    wake();
    expect(await end(60_000)).toEqual({ isComplete: true });
    expect(sent).toEqual([0, 1, 2]);
  });

  it("sends a piece again after a pause that grows with each fault", async () => {
    const clock = heldClock();
    let tries = 0;
    const { wake, end } = courier({
      clock,
      next: async () => {
        if (++tries < 4) throw fault("tracking-failed");
        return false;
      },
    });
    wake();
    for (const pauses of [1, 2, 3]) {
      await expect.poll(() => clock.asked.length).toBe(pauses);
      clock.release();
    }
    await expect.poll(() => tries).toBe(4);
    expect(clock.asked).toEqual([1_000, 2_000, 4_000]);
    expect(await end(60_000)).toEqual({ isComplete: true });
  });

  it("tries once more at its end, without the rest of its pause", async () => {
    const clock = heldClock();
    let tries = 0;
    const next = async (): Promise<boolean> => {
      tries++;
      throw fault("tracking-failed");
    };
    const { wake, end } = courier({ clock, next });
    wake();
    await expect.poll(() => clock.asked.length).toBe(1);
    expect(await end(60_000)).toMatchObject({
      isComplete: false,
      problem: expect.stringContaining("It broke"),
    });
    expect(tries).toBe(2);
  });

  it("sends nothing more after a refusal", async () => {
    let tries = 0;
    const { wake, end } = courier({
      next: async () => {
        tries++;
        throw fault("tracking-refused");
      },
    });
    wake();
    await expect.poll(() => tries).toBe(1);
    wake();
    expect(await end(60_000)).toMatchObject({ isComplete: false });
    expect(tries).toBe(1);
  });

  it("waits at its end no longer than it is told to", async () => {
    const clock = heldClock();
    let isAborted = false;
    const { wake, end } = courier({
      clock,
      next: (signal) =>
        new Promise((_done, failed) => {
          signal.addEventListener("abort", () => {
            isAborted = true;
            failed(signal.reason);
          });
        }),
    });
    wake();
    const ending = end(7);
    await expect.poll(() => clock.asked).toEqual([7]);
    clock.release();
    expect(await ending).toEqual({ isComplete: false });
    expect(isAborted).toBe(true);
  });
});
