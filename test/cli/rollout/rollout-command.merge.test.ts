import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { compileArtifact, openRegistry } from "espalier/artifact";
import { openServeState } from "espalier/serve";
import { expect, test } from "vitest";
import { runMain } from "../../support/run-main.ts";
import { serveCli } from "../../support/serve-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { asked } from "../../serve/served.ts";
import { answering, upstream } from "../../serve/upstream.ts";
import towns from "../fixtures/towns-serving.ts";

const file = resolve("test/cli/fixtures/towns-serving.ts");

/** A registry whose candidate is to be brief. */
async function registered(folder: string): Promise<{ readonly candidate: string }> {
  const [model] = towns.models;
  if (model === undefined) throw new Error("There is a model.");
  const registry = openRegistry(join(folder, "artifacts"));
  const { version } = await registry.add(
    compileArtifact({
      program: model.program,
      candidate: [{ kind: "instruction", path: "answer", value: "Be brief." }],
      lm: { provider: "test", model: "none" },
      samples: { answer: [{ question: "Where?" }] },
    }),
  );
  await registry.promote("answerer", version, "candidate");
  return { candidate: version };
}

test("serve tries a candidate on a share, says so, and rollout show says how it stands", async () => {
  await using folder = await temporaryFolder();
  const { candidate } = await registered(folder.path);
  await using lm = await upstream(answering("There."));
  const kept = ["--artifacts", "artifacts", "--feedback", "feedback.sqlite"];
  const server = await serveCli(
    [file, "--lm", lm.url, ...kept, "--canary", "25%", "--shadow", ".5"],
    { cwd: folder.path },
  );
  expect(server.stdout).toContain(
    `  trials  towns@${candidate} against declared, canary 25 %, shadow 50 %\n`,
  );
  expect(server.stdout).toContain("/v1/rollouts");
  for (let user = 0; user < 60; user += 1) {
    await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...asked("Where?", "towns"), user: `user-${user}` }),
    });
  }
  await expect
    .poll(async () => {
      const { data } = (await (await fetch(`${server.url}/v1/rollouts`)).json()) as {
        data: { keys: { baseline: number; candidate: number } }[];
      };
      return data[0]?.keys.baseline;
    })
    .toBeGreaterThan(5);
  expect(await server.end()).toMatchObject({ code: 0 });

  const state = join(folder.path, ".espalier/serve/towns");
  expect((await stat(join(state, "state.sqlite"))).mode & 0o777).toBe(0o600);
  const shown = await runMain(["rollout", "show", "--state", state]);
  expect(
    shown.stdout
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(candidate, "CANDIDATE")
      .replaceAll(/\d+ keys/g, "N keys")
      .replace(
        /worse [\d.]+, better [\d.]+ after \d+ comparisons/,
        "worse W, better B after N comparisons",
      ),
  ).toMatchInlineSnapshot(`
    "towns@CANDIDATE against declared, canary 25 %, shadow 50 %
      open since TIME; it continues while a server runs with --canary or --shadow
      candidate  mean score 1.000 of N keys, difference +0.000
      baseline   mean score 1.000 of N keys
      API keys   1 seen; their shares are not limited
      evidence   worse W, better B after N comparisons; threshold 20 (alpha 0.05, tolerance 0): open
    "
  `);
  const restarted = await serveCli([file, "--lm", lm.url, "--artifacts", "artifacts"], {
    cwd: folder.path,
  });
  expect(restarted.stdout).toContain(
    `  trials  none: towns@${candidate} is open, but needs --canary or --shadow to continue\n`,
  );
  await restarted.end();
  const json = await runMain(["rollout", "show", "--state", state, "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    rollouts: [
      { model: "towns", candidate, status: "running", canary: 0.25, shadow: 0.5, key_share: 1 },
    ],
  });

  const erase = ["feedback", "erase", join(folder.path, "feedback.sqlite"), "--user", "user-7"];
  const erased = await runMain([...erase, "--state", state, "--json"]);
  expect(JSON.parse(erased.stdout)).toEqual({ completions: 1, quoting: 0, forgotten: 1 });
  const again = await runMain([...erase, "--state", state]);
  expect(again.stdout).toContain("0 scores in rollouts are now anonymous.\n");
  const keys = /of \d+ keys/g;
  const later = await runMain(["rollout", "show", "--state", state]);
  expect(later.stdout.match(keys)).toEqual(shown.stdout.match(keys));
  expect(await runMain([...erase, "--state", "nowhere"])).toMatchObject({ code: 2 });
});

test.each([
  [["--canary", "0.1"], "requires a registry"],
  [["--canary", "much", "--artifacts", "artifacts"], "Invalid value for --canary"],
  [["--shadow", "120%", "--artifacts", "artifacts"], "Invalid value for --shadow"],
  [
    ["--shadow", "1", "--artifacts", "artifacts", "--state", "none"],
    "requires a registry and a state folder",
  ],
])("serve %j is refused", async (args, problem) => {
  const { code, stderr } = await runMain(["serve", file, "--lm", "rehearsal", ...args]);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
});

test("rollout show of a folder without a state says which command makes one", async () => {
  const { code, stderr } = await runMain(["rollout", "show", "--state", "nowhere"]);
  expect(code).toBe(2);
  expect(stderr).toContain("`espalier serve FILE --artifacts FOLDER` creates one");
});

test("rollout show refuses a state of another version and leaves it as it is", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "state.sqlite");
  openServeState(path)[Symbol.dispose]();
  {
    using database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 1");
  }
  const before = await readFile(path);
  const { code, stderr } = await runMain(["rollout", "show", "--state", folder.path]);
  expect(code).not.toBe(0);
  expect(stderr).toContain("format version 1; this espalier reads 3");
  expect(await readFile(path)).toEqual(before);
});
