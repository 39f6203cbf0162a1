import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openKeyUsage } from "espalier/serve";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";

const [yesterday, today] = ["2026-11-21", "2026-11-22"];

test("what keys used is there after a restart, and what servers side by side count adds up", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "state", "keys.sqlite");
  {
    using usage = openKeyUsage(path);
    usage.add(yesterday, "alice", 7);
    usage.add(today, "alice", 100);
    usage.add(today, "alice", 20);
    expect(usage.tokensOn(today, "alice")).toBe(120);
    expect(usage.tokensOn(today, "bob")).toBe(0);
  }
  using one = openKeyUsage(path, { flushMs: 5 });
  using two = openKeyUsage(path, { flushMs: 5 });
  expect(one.tokensOn(today, "alice")).toBe(120);
  one.add(today, "alice", 1);
  two.add(today, "alice", 2);
  await vi.waitFor(() => {
    expect(one.tokensOn(today, "alice")).toBe(123);
    expect(two.tokensOn(today, "alice")).toBe(123);
    expect(one.tokensOn(yesterday, "alice")).toBe(0);
  }, 60_000);
});

test("while another process holds the file counting goes on, and it is written later", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "keys.sqlite");
  using usage = openKeyUsage(path, { flushMs: 5 });
  using other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  usage.add(today, "alice", 5);
  await vi.waitFor(() => expect(usage.problem).toMatch(/locked/), 60_000);
  usage.add(today, "alice", 6);
  expect(usage.tokensOn(today, "alice")).toBe(11);
  other.exec("COMMIT");
  await vi.waitFor(() => expect(usage.problem).toBeNull(), 60_000);
  using again = openKeyUsage(path);
  expect(again.tokensOn(today, "alice")).toBe(11);
});

test("a file whose table is gone is refused with its name, and not held open", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "keys.sqlite");
  openKeyUsage(path)[Symbol.dispose]();
  {
    using other = new DatabaseSync(path);
    other.exec("DROP TABLE tokens; CREATE TABLE others (a)");
  }
  const error = await thrownBy(() => openKeyUsage(path));
  expect(error.code).toBe("serve-state-unusable");
  expect(error.message).toContain(path);
  expect(await readdir(folder.path)).toEqual(["keys.sqlite"]);
});

test.each(["'many'", "-1", "1e300", "x'00'"])(
  "a count that no server wrote lets no key through: %s",
  async (count) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "keys.sqlite");
    openKeyUsage(path)[Symbol.dispose]();
    {
      using other = new DatabaseSync(path);
      other.exec(`INSERT INTO tokens VALUES ('${today}', 'alice', ${count})`);
    }
    const error = await thrownBy(() => openKeyUsage(path));
    expect(error.code).toBe("serve-state-unusable");
    expect(error.message).toContain(`tokens of "alice" on ${today}: expected a whole number`);
  },
);
