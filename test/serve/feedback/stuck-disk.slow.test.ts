import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { patient, rate } from "./at-work.ts";
import { logged, ready } from "./logged.ts";

/** Holds the thread that writes within a batch, as a stuck disk does, until it is called. */
function stick(path: string): () => void {
  // SQLite reads a journal before it writes, and whoever opens a pipe waits for its other end.
  const journal = `${path}-journal`;
  execFileSync("mkfifo", [journal]);
  return () => {
    closeSync(openSync(journal, constants.O_RDWR | constants.O_NONBLOCK));
    rmSync(journal, { force: true });
  };
}

test("while the disk is stuck in a batch, ratings are refused in time and /ready tells of it", async () => {
  await using work = await logged();
  await work.ask();
  await work.kept(1);
  const release = stick(work.path);
  try {
    const id = await work.ask();
    await expect.poll(work.events, patient).toEqual(["feedback-unwritten"]);
    expect((await rate(work.server, { id, rating: "up" })).status).toBe(503);
    await expect
      .poll(() => ready(work.server), patient)
      .toEqual({ status: 200, checks: { feedback: "feedback-unusable" } });
  } finally {
    release();
  }
  await work.kept(2);
  await expect.poll(() => work.events().at(-1), patient).toBe("feedback-written");
  expect([...work.store.rated()]).toEqual([]);
});

test("a shutdown ends where the disk is stuck in a batch", async () => {
  await using work = await logged();
  await work.ask();
  await work.kept(1);
  const release = stick(work.path);
  try {
    await work.ask();
    await expect.poll(work.events, patient).toEqual(["feedback-unwritten"]);
    await work.server.stop();
    expect(work.events()).toEqual(["feedback-unwritten", "feedback-lost"]);
  } finally {
    release();
  }
});
