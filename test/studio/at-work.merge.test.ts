import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, copyFileSync, openSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { patience } from "../serve/routes/page/chromium.ts";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { studioOver } from "./studio-over.ts";

/** Makes a file be read as slowly as a test wants: a pipe takes its place. */
function heldFile(path: string): {
  /** Whether somebody is reading it. */
  isRead(): boolean;
  /** Lets it be read to its end. */
  release(): Promise<void>;
} {
  const content = `${path}.content`;
  renameSync(path, content);
  execFileSync("mkfifo", [path]);
  let end: number | undefined;
  return {
    isRead: () => {
      try {
        // There must be a reader, who then waits for what is written.
        end ??= openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
        return true;
      } catch {
        return false;
      }
    },
    release: async () => {
      if (end === undefined) return;
      const writer = spawn("sh", ["-c", 'cat "$0" > "$1"', content, path], { stdio: "ignore" });
      await once(writer, "exit");
      closeSync(end);
      end = undefined;
    },
  };
}

it("answers with pages, lists and events while it makes a comparison", async () => {
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  const { code, stderr } = await runMain([
    "optimize",
    "test/cli/fixtures/few-places.ts",
    "--budget",
    "14",
    "--run",
    run,
  ]);
  if (code !== 0) throw new Error(stderr);
  const journal = heldFile(join(run, "journal.jsonl"));
  await using studio = await studioOver(folder.path);
  let isMade = false;
  const comparison = fetch(`${studio.url}/api/comparison?source=run`).then((answer) => {
    isMade = true;
    return answer;
  });
  try {
    await expect.poll(journal.isRead, patience).toBe(true);
    for (const path of ["/", "/studio.js", "/page.css"]) {
      expect((await fetch(`${studio.url}${path}`)).status).toBe(200);
    }
    const listing = JSON.parse(await (await fetch(`${studio.url}/api/listing`)).text());
    expect(listing).toMatchObject({ isPartial: true, runs: [{ id: "run", state: "running" }] });
    expect(listing.runs[0]).not.toHaveProperty("figures");

    const { body: events } = await fetch(`${studio.url}/api/live`);
    let told = "";
    const listening = (async () => {
      for await (const piece of events!.pipeThrough(new TextDecoderStream())) told += piece;
    })();
    let copies = 0;
    await expect
      .poll(
        () => {
          // Something new each time: a look has to come after one of them.
          copyFileSync(join(run, "artifact.json"), join(folder.path, `copy-${copies++}.json`));
          return told;
        },
        { ...patience, interval: 500 },
      )
      .toContain('"kind":"listing","isFirst":false');
    expect(isMade).toBe(false);
    void listening.catch(() => undefined);
  } finally {
    await journal.release();
  }
  const made = JSON.parse(await (await comparison).text());
  expect(made.comparison.incomparable[0]).toMatch(/^Nothing changed: .* found-place on test\.$/);
  // The same sources are not read again: a pipe would hold whoever did.
  const listed = JSON.parse(await (await fetch(`${studio.url}/api/listing`)).text());
  expect(listed.runs[0].figures.claim).toBe("unchanged");
});
