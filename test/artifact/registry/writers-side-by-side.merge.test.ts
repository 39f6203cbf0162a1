import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { openRegistry, versionOf } from "espalier/artifact";
import { registryLock } from "../../../src/artifact/registry/registry-lock.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { guide } from "./guides.ts";

const repository = resolve(import.meta.dirname, "../../..");
const program = "travel-guide";
const [one, two] = [guide("One."), guide("Two.")];

/** Runs a few lines with arguments in a process of their own; resolves with what they printed. */
async function processOf(code: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    ["--conditions=espalier:source", "--input-type=module", "--eval", code, ...args],
    { cwd: repository, stdio: ["ignore", "pipe", "inherit"] },
  );
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  return new Promise((done) => child.once("close", () => done(stdout.trim())));
}

/** Promotes one version over and over, and prints how often it was the one to change the alias. */
const promoteOnAndOn = `
  import { openRegistry } from "espalier/artifact";
  const [, folder, version] = process.argv;
  const registry = openRegistry(folder);
  let moves = 0;
  for (let round = 0; round < 25; round++) {
    if ((await registry.promote("travel-guide", version, "production")) !== null) moves++;
  }
  console.log(moves);
`;

describe("writers side by side", () => {
  it("in two processes lose no move: each begins where the one before it ended", async () => {
    await using folder = await temporaryFolder();
    const registry = openRegistry(folder.path);
    for (const artifact of [one, two]) await registry.add(artifact);
    const moves = await Promise.all(
      [one, two].map((artifact) => processOf(promoteOnAndOn, folder.path, versionOf(artifact))),
    );
    const { history, production } = await registry.aliases(program);
    expect(history).toHaveLength(moves.reduce((sum, text) => sum + Number(text), 0));
    expect(history.map(({ from }) => from)).toEqual([
      null,
      ...history.slice(0, -1).map(({ to }) => to),
    ]);
    expect(production).toBe(history.at(-1)?.to);
    expect(moves.map(Number).every((count) => count > 0)).toBe(true);
    expect((await readdir(join(folder.path, program))).toSorted()).toEqual(
      [...[one, two].map((artifact) => `${versionOf(artifact)}.json`), "aliases.json"].toSorted(),
    );
  });

  it("in one process take turns, too", async () => {
    await using folder = await temporaryFolder();
    const registries = [openRegistry(folder.path), openRegistry(folder.path)];
    const added = await Promise.all(
      registries.flatMap((registry) => [registry.add(one), registry.add(one)]),
    );
    expect(added.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  it("wait for one that holds the lock, but not for ever", async () => {
    await using folder = await temporaryFolder();
    const registry = openRegistry(folder.path, { patienceMs: 60 });
    await registry.add(one);
    {
      using _ = await registryLock(folder.path);
      const { code, message } = await thrownBy(() => registry.add(two));
      expect(code).toBe("registry-locked");
      expect(message).toContain("Another process has been writing to the registry for 0.06 s");
      // Who only reads need not wait.
      expect((await registry.resolve(program, versionOf(one))).artifact).toEqual(one);
    }
    expect(await registry.add(two)).toMatchObject({ isNew: true });
  });

  it("are free to go on when one is killed while it holds the lock", async () => {
    await using folder = await temporaryFolder();
    const held = `
      const { registryLock } = await import(${JSON.stringify(resolve(repository, "src/artifact/registry/registry-lock.ts"))});
      globalThis.lock = await registryLock(process.argv[1]);
      process.kill(process.pid, "SIGKILL");
    `;
    await processOf(held, folder.path);
    expect(await openRegistry(folder.path).add(one)).toMatchObject({ isNew: true });
  });
});
