import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { openServeState, rolloutReports } from "espalier/serve";
import { expect, test } from "vitest";
import { keyHash } from "../../../src/serve/state/stored-canary.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";

const pair = { model: "towns", baseline: "declared", candidate: "3f2a", since: "2030" };

test("the secret of a state is made once, is the same for all who open the file, and only its owner reads it", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "state.sqlite");
  using first = openServeState(path);
  using beside = openServeState(path);
  const hash = first.hashed(["arm", "ada"]);
  expect(beside.hashed(["arm", "ada"])).toEqual(hash);
  first[Symbol.dispose]();
  beside[Symbol.dispose]();
  using later = openServeState(path);
  expect(later.hashed(["arm", "ada"])).toEqual(hash);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  using elsewhere = openServeState(join(folder.path, "elsewhere.sqlite"));
  expect(elsewhere.hashed(["arm", "ada"])).not.toEqual(hash);
});

test("a key that is spent counts no more, and shows in no figure", () => {
  using state = openServeState(":memory:");
  const settings = { canary: 0.5, shadow: 0, alpha: 0.05, tolerance: 0, keyShare: 1 };
  const { id } = state.begin(pair, settings);
  const key = { apiKey: Buffer.from("a"), key: Buffer.from("k") };
  state.spend(id, key);
  expect(state.hasObserved(id, key)).toBe(true);
  expect(state.observe(id, key, { weight: 1, baseline: 1, candidate: null })).toBe(false);
  expect(state.observationsAfter(id, 0)).toEqual([]);
});

test("a rollout keeps the least key share that it ever had", () => {
  using state = openServeState(":memory:");
  const settings = { canary: 0.5, shadow: 0, alpha: 0.05, tolerance: 0 };
  const shareAt = (keyShare: number): number =>
    state.begin(pair, { ...settings, keyShare }).keyShare;
  expect([1, 0.8, 1, 0.9].map(shareAt)).toEqual([1, 0.8, 0.8, 0.8]);
  const { id } = state.begin(pair, { ...settings, keyShare: 1 });
  state.bound(id, 0.5);
  state.bound(id, 0.7);
  expect([state.keyShareOf(id), shareAt(1)]).toEqual([0.5, 0.5]);
});

test("a state that is opened to be read is left as it is, and so is one of another version, which is refused", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "state.sqlite");
  const settings = { canary: 0.5, shadow: 0, alpha: 0.05, tolerance: 0, keyShare: 1 };
  {
    using made = openServeState(path);
    made.begin(pair, settings);
  }
  const before = await readFile(path);
  {
    using state = openServeState(path, { isReadOnly: true });
    expect(rolloutReports(state)()).toMatchObject([{ ...pair, status: "running" }]);
    expect(() => state.end("towns")).toThrow("readonly");
  }
  expect(await readFile(path)).toEqual(before);

  const old = join(folder.path, "old.sqlite");
  openServeState(old)[Symbol.dispose]();
  {
    using other = new DatabaseSync(old);
    other.exec("PRAGMA user_version = 1");
  }
  const bytes = await readFile(old);
  const error = await thrownBy(async () => openServeState(old, { isReadOnly: true }));
  expect(error.code).toBe("serve-state-unusable");
  expect(error.message).toContain("format version 1; this espalier reads 3");
  expect(await readFile(old)).toEqual(bytes);
  expect((await readdir(folder.path)).toSorted()).toEqual(["old.sqlite", "state.sqlite"]);
});

test("while another process holds the file an observation waits no longer than a moment, and a key is forgotten once the file is free", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "state.sqlite");
  using state = openServeState(path);
  const settings = { canary: 0.5, shadow: 0, alpha: 0.05, tolerance: 0, keyShare: 1 };
  const { id } = state.begin(pair, settings);
  const key = { apiKey: Buffer.from("a"), key: keyHash(state.hashed, pair, "ada") };
  const scores = { weight: 1, baseline: 1, candidate: null };
  expect(state.observe(id, key, scores)).toBe(true);

  const mayLetGo = new Int32Array(new SharedArrayBuffer(4));
  const holder = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
     const { DatabaseSync } = require("node:sqlite");
     const { path, mayLetGo } = workerData;
     const database = new DatabaseSync(path);
     database.exec("BEGIN IMMEDIATE");
     parentPort.postMessage("held");
     Atomics.wait(mayLetGo, 0, 0);
     Atomics.wait(mayLetGo, 0, 1, 300);
     database.close();`,
    { eval: true, workerData: { path, mayLetGo } },
  );
  const ended = once(holder, "exit");
  await once(holder, "message");
  // A busy machine may stretch some of them, and not all to what a connection waits by default.
  const waitedMs = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    expect(() => state.observe(id, key, scores)).toThrow("locked");
    return performance.now() - startedAt;
  });
  // oxlint-disable-next-line espalier-tests/no-duration-bound -- SQLite waits by its own clock
  expect(Math.min(...waitedMs)).toBeLessThan(1_000);
  Atomics.store(mayLetGo, 0, 1);
  Atomics.notify(mayLetGo, 0);
  expect(state.forget(["ada"])).toBe(1);
  await ended;
});

test.each([
  ["observations SET candidate = 'high'", "observation.candidate: expected a number"],
  ["observations SET weight = 9e999", "observation.weight: expected a number from 0 to 1"],
  ["rollouts SET alpha = 'small'", "rollout.alpha: expected a number from 0 to 1"],
  ["rollouts SET canary = 50", "rollout.canary: expected a number from 0 to 1"],
  ["secret SET bytes = 'known'", "secret: expected bytes"],
])("a state that no server wrote is no evidence: %s", async (change, told) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "state.sqlite");
  {
    using made = openServeState(path);
    const settings = { canary: 0.5, shadow: 0, alpha: 0.05, tolerance: 0, keyShare: 1 };
    const { id } = made.begin(pair, settings);
    const key = { apiKey: Buffer.from("a"), key: Buffer.from("k") };
    made.observe(id, key, { weight: 1, baseline: 1, candidate: null });
  }
  {
    using other = new DatabaseSync(path);
    other.exec(`UPDATE ${change}`);
  }
  const error = await thrownBy(() => {
    using state = openServeState(path);
    state.rollouts();
    state.observationsAfter(1, 0);
  });
  expect(error.code).toBe("serve-state-unusable");
  expect(error.message).toContain(told);
});
