import { rm, writeFile } from "node:fs/promises";
import type { FeedbackOptions } from "espalier/serve";
import { openFeedback, readPreferences } from "espalier/serve";
import { expect, test } from "vitest";
import { patient, rate } from "./at-work.ts";
import { logged, metric, ready } from "./logged.ts";

const lost = (reason: string): string => `espalier_feedback_unkept_total{reason="${reason}"}`;

test("while another process holds the file, answers and metrics go on, and are kept once it lets go", async () => {
  await using work = await logged();
  await work.ask();
  await work.kept(1);
  const unlock = work.lock();
  await work.ask(5);
  await expect.poll(work.events, patient).toEqual(["feedback-unwritten"]);
  expect(await metric(work.server, "espalier_feedback_waiting")).toBe(5);
  expect(await metric(work.server, "espalier_feedback_writing")).toBe(0);
  await expect
    .poll(() => ready(work.server), patient)
    .toEqual({ status: 200, checks: { feedback: "feedback-unusable" } });
  // Told again only when something changes.
  await work.ask(3);
  unlock();
  await work.kept(9);
  await expect.poll(work.events, patient).toEqual(["feedback-unwritten", "feedback-written"]);
  expect(await metric(work.server, lost("queue_full"))).toBe(0);
  await expect
    .poll(() => ready(work.server), patient)
    .toEqual({ status: 200, checks: { feedback: "ok" } });
});

test("a rating that comes before its answer is written finds it", async () => {
  await using work = await logged();
  await work.ask();
  await work.kept(1);
  const unlock = work.lock();
  const id = await work.ask();
  const rating = rate(work.server, { id, rating: "up" });
  await expect.poll(work.events, patient).toEqual(["feedback-unwritten"]);
  unlock();
  expect((await rating).status).toBe(200);
  expect([...work.store.rated()]).toMatchObject([{ id, rating: "up" }]);
});

test("a rating that the file does not take is refused for now, and is not counted later", async () => {
  await using work = await logged();
  const id = await work.ask();
  await work.kept(1);
  const unlock = work.lock();
  expect(await rate(work.server, { id, rating: "up" })).toMatchObject({
    status: 503,
    body: { error: { code: "feedback_unavailable" } },
  });
  unlock();
  await work.ask();
  await work.kept(2);
  expect([...work.store.rated()]).toEqual([]);
});

test.each<[what: string, options: Partial<FeedbackOptions>, kept: number]>([
  ["answers", { maxWaitingRows: 2 }, 3],
  ["bytes", { maxWaitingBytes: 1 }, 0],
])(
  "a queue has a limit of %s, and what is beyond is counted and told once",
  async (_what, options, kept) => {
    await using work = await logged(options);
    await work.ask();
    if (kept > 0) await work.kept(1);
    const unlock = work.lock();
    await work.ask(5);
    const events =
      kept > 0 ? ["feedback-queue-full", "feedback-unwritten"] : ["feedback-queue-full"];
    await expect.poll(() => work.events().toSorted(), patient).toEqual(events);
    expect(await metric(work.server, lost("queue_full"))).toBe(6 - kept);
    unlock();
    await work.kept(kept);
  },
);

test("a file that is broken costs no answer", async () => {
  await using work = await logged();
  await work.ask();
  await work.kept(1);
  await writeFile(work.path, "no database any more ".repeat(1_000));
  await work.ask(2);
  await expect.poll(work.events, patient).toContain("feedback-unwritten");
  expect(await metric(work.server, "espalier_feedback_waiting")).toBe(2);
});

test("a file that was deleted is made anew", async () => {
  await using work = await logged();
  await work.ask();
  await work.kept(1);
  await rm(work.path);
  const id = await work.ask();
  expect((await rate(work.server, { id, rating: "down" })).status).toBe(200);
  expect(readPreferences(work.path)).toMatchObject([{ completions: 1, down: 1 }]);
});

test("a shutdown writes what waits", async () => {
  await using work = await logged();
  const asking = Array.from({ length: 40 }, () => work.ask());
  await Promise.all(asking);
  await work.server.stop();
  expect(readPreferences(work.path)).toMatchObject([{ completions: 40 }]);
});

test("a shutdown ends where the file cannot be written, and says how many answers are lost", async () => {
  await using work = await logged();
  await work.ask();
  await work.kept(1);
  const unlock = work.lock();
  await work.ask(3);
  await work.server.stop();
  expect(work.events()).toEqual(["feedback-unwritten", "feedback-lost"]);
  unlock();
  expect(readPreferences(work.path)).toMatchObject([{ completions: 1 }]);
});

test("metrics count what another process erases, without reading the answers", async () => {
  await using work = await logged();
  for (const rating of ["up", "down", "up"]) {
    await rate(work.server, { id: await work.ask(), rating });
  }
  const [first] = [...work.store.rated()];
  using beside = openFeedback({ path: work.path });
  beside.erase({ id: first?.id ?? "" });
  const ups = 'espalier_feedback_ratings{model="at-once",version="declared",rating="up"}';
  await expect.poll(() => metric(work.server, ups), patient).toBe(1);
  expect(readPreferences(work.path)).toMatchObject([{ completions: 2, up: 1, down: 1 }]);
});
