import { describe, expect, it } from "vitest";
import { EspalierError } from "../../../../src/index.ts";
import { sendQueue } from "../../src/live/send-queue.ts";

describe("a queue of things to send", () => {
  it("holds no more than its bounds, and counts what found no room", async () => {
    const gate = Promise.withResolvers<void>();
    const sent: number[] = [];
    const queue = sendQueue<number>(
      async (items) => {
        await gate.promise;
        sent.push(...items);
      },
      { items: 10, bytes: 1_000 },
    );
    for (let number = 0; number < 25; number++) queue.add(number, 10);
    expect(queue).toMatchObject({ waiting: 10, lost: 15, sent: 0 });
    gate.resolve();
    const delivery = await queue.end(60_000);
    expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(queue).toMatchObject({ waiting: 0, lost: 15, sent: 10 });
    expect(delivery.isComplete).toBe(false);
  });

  it("is bounded in bytes too", async () => {
    const queue = sendQueue<number>(async () => {}, { bytes: 100 });
    for (const bytes of [60, 60, 40]) queue.add(bytes, bytes);
    expect(queue).toMatchObject({ waiting: 2, lost: 1 });
    await queue.end(60_000);
  });

  it("drops what was refused, and sends what comes after", async () => {
    const sent: number[] = [];
    const queue = sendQueue<number>(async (items) => {
      if (items.includes(0)) throw new EspalierError({ code: "tracking-refused", problem: "No" });
      sent.push(...items);
    });
    queue.add(0, 1);
    await expect.poll(() => queue.lost).toBe(1);
    queue.add(1, 1);
    expect(await queue.end(60_000)).toMatchObject({
      isComplete: false,
      problem: expect.stringContaining("No"),
    });
    expect(sent).toEqual([1]);
  });
});
