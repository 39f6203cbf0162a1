import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { LmRequest } from "espalier";
import type { Connection, ReplicaChange } from "espalier/lm";
import { connect, serverList } from "espalier/lm";
import { waitingRequests } from "../../../src/lm/connect.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { endlessRequest, lmAt, metricAt, request } from "../support/ask.ts";
import type { VllmAddress } from "../support/server-kinds.ts";
import { serverFolders } from "../support/server-folders.ts";
import { startServer } from "../support/server-process.ts";
import { test } from "../support/vllm-test.ts";

/** Replies are of equal length, so that servers differ by their width alone. */
const asked = (number: number): LmRequest =>
  request(`Question ${number}: what is a trellis for?`, {
    thinking: false,
    maxCompletionTokens: 48,
    extraBody: { ignore_eos: true },
  });

const answeredBy = (server: VllmAddress): Promise<number> =>
  metricAt(server, "request_success_total");

/** Asks so many questions at once, and counts the answers as they come. */
function load(lm: Connection, count: number) {
  let answered = 0;
  const calls = Array.from({ length: count }, async (_, number) => {
    await lm.doGenerate(asked(number));
    answered += 1;
  });
  return { answered: () => answered, all: Promise.all(calls) };
}

/** Asks for so many stories at once, which do not end until they are stopped. */
function endlessLoad(lm: Connection, count: number) {
  const abort = new AbortController();
  const ended = Promise.allSettled(
    Array.from({ length: count }, (_, number) =>
      lm.doGenerate(endlessRequest(`Story ${number}.`), { signal: abort.signal }),
    ),
  );
  return {
    stop: async () => {
      abort.abort(new Error("no longer wanted"));
      await ended;
    },
  };
}

/** A connection to the servers in a file, as `--lm @FILE` makes it. */
async function listed(folder: string, first: readonly VllmAddress[]) {
  const path = join(folder, "servers.txt");
  const changes: ReplicaChange[] = [];
  const write = async (servers: readonly VllmAddress[]): Promise<void> => {
    await writeFile(`${path}.new`, servers.map(({ baseUrl }) => `${baseUrl}\n`).join(""));
    await rename(`${path}.new`, path);
  };
  await write(first);
  const list = serverList([`@${path}`]);
  const lm = connect({
    model: "tiny-qwen3",
    examinationsFolder: null,
    baseUrls: await list.read(),
    serverList: list,
    concurrency: 24,
    replicas: { checkEveryMs: 100, onChange: (change) => changes.push(change) },
  });
  const told = ({ baseUrl }: VllmAddress): readonly string[] =>
    changes.filter(({ name }) => name === baseUrl).map(({ what }) => what);
  return { lm, write, told };
}

describe("several real servers", () => {
  test("tell how many requests wait in their queues", async ({ narrow }) => {
    await using lm = lmAt(narrow, { concurrency: 9 });
    const waiting = waitingRequests(narrow);
    expect(await waiting()).toBe(0);
    const stories = endlessLoad(lm, 9);
    await expect.poll(() => waiting()).toBe(7);
    await stories.stop();
    await expect.poll(() => waiting()).toBe(0);
  });

  test("get calls by what they can take: one that is held up holds up no other", async ({
    chat,
    narrow,
  }) => {
    const before = await answeredBy(chat);
    // Others' requests, two at a time, for longer than this test may take.
    const others = 60;
    const waiting = waitingRequests(narrow);
    await using other = lmAt(narrow, { concurrency: others });
    const stories = endlessLoad(other, others);
    await expect.poll(() => waiting()).toBeGreaterThan(others / 2);
    await using lm = connect({
      model: "tiny-qwen3",
      examinationsFolder: null,
      baseUrls: [chat.baseUrl, narrow.baseUrl],
      concurrency: 24,
    });
    const run = load(lm, 200);
    // By turns, all 24 would soon wait at the narrow one.
    await expect.poll(run.answered, { timeout: 300_000 }).toBeGreaterThan(150);
    await Promise.all([run.all, stories.stop()]);
    const byChat = (await answeredBy(chat)) - before;
    expect(byChat).toBeGreaterThan(150);
    expect(byChat).toBeLessThan(200);
  });

  test("join and leave while a run goes on, and nothing is lost", async ({ chat, narrow }) => {
    await using folder = await temporaryFolder();
    const { lm, write, told } = await listed(folder.path, [chat]);
    await using _closing = lm;
    const before = [await answeredBy(chat), await answeredBy(narrow)] as const;
    const run = load(lm, 300);
    await expect.poll(run.answered).toBeGreaterThan(20);
    await write([chat, narrow]);
    await expect.poll(() => told(narrow)).toEqual(["joined"]);
    await expect.poll(async () => (await answeredBy(narrow)) - before[1]).toBeGreaterThan(4);
    await write([narrow]);
    await run.all;
    expect(told(chat)).toEqual(["leaving", "left"]);
    const byChat = (await answeredBy(chat)) - before[0];
    const byNarrow = (await answeredBy(narrow)) - before[1];
    expect(byChat + byNarrow).toBe(300);
  });

  test("may die in mid-run: the others answer every call", async ({ chat }) => {
    using folders = await serverFolders();
    await using mortal = await startServer("narrow", folders);
    await using folder = await temporaryFolder();
    const { lm } = await listed(folder.path, [chat, mortal.address]);
    await using _closing = lm;
    const run = load(lm, 200);
    await expect.poll(() => answeredBy(mortal.address)).toBeGreaterThan(4);
    await mortal.kill();
    await run.all;
    expect(run.answered()).toBe(200);
  });
});
