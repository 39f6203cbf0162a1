import type { IncomingMessage } from "node:http";
import { writeFile } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { newApiKey } from "espalier/serve";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { runMain } from "../../support/run-main.ts";
import { serveCli } from "../../support/serve-cli.ts";
import { asked } from "../../serve/served.ts";
import { answering, upstream } from "../../serve/upstream.ts";

const file = "test/cli/fixtures/towns-serving.ts";

test("serve says where it is, what it serves and who may ask, and ends on SIGTERM with 0", async () => {
  const key = "k".repeat(40);
  await using lm = await upstream(answering("There."));
  const { port } = new URL(lm.url);
  const env = { ESPALIER_SERVE_KEYS: key, ESPALIER_API_KEY: "lm-secret-1234" };
  const server = await serveCli(
    [
      file,
      "--lm",
      `http://user:pass@127.0.0.1:${port}/v1`,
      "--protocol",
      "test/cli/fixtures/mmu-rag.ts",
    ],
    { env },
  );
  const shown = server.stdout.replaceAll(/127\.0\.0\.1:\d+/g, "HOST");
  expect(shown).toMatchInlineSnapshot(`
    "Serving towns on http://HOST
      LM      scripted at http://HOST/v1
      keys    key-dc4c5d17
      models  towns  declared
      fields  towns: question -> answer
      page    http://HOST/
      routes  GET /health, /ready, /metrics, /v1/models, /v1/models/{id}; POST /v1/chat/completions, /v1/responses, /run, /evaluate
    "
  `);
  const post = (authorization: string) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization },
      body: JSON.stringify(asked("Where?", "towns")),
    });
  expect((await post("Bearer wrong")).status).toBe(401);
  expect((await post(`Bearer ${key}`)).status).toBe(200);
  expect(await (await fetch(`${server.url}/ready`)).json()).toEqual({
    status: "ready",
    checks: { lm: "ok", keys: "ok" },
  });
  const { code, stdout, stderr } = await server.end();
  expect(code).toBe(0);
  const written = stdout + stderr;
  expect(written).toContain('"event":"chat"');
  for (const secret of [key, "lm-secret-1234", "user:pass"]) expect(written).not.toContain(secret);
});

test("serve has a page that needs no key and says when the rehearsal LM answers, unless it is told --no-page", async () => {
  const at = async (url: string, path: string) => {
    const response = await fetch(url + path);
    return [response.status, await response.text()] as const;
  };
  const env = { ESPALIER_SERVE_KEYS: "k".repeat(40) };
  const server = await serveCli([file, "--lm", "rehearsal"], { env });
  expect(await at(server.url, "/")).toEqual([200, expect.stringContaining("<h1")]);
  expect((await at(server.url, "/health"))[1]).toContain("the rehearsal LM, a mock");
  await server.end();

  const without = await serveCli([file, "--lm", "rehearsal", "--no-page"], { env });
  expect(without.stdout).not.toContain("page");
  expect((await at(without.url, "/"))[0]).toBe(401);
  expect((await at(without.url, "/health"))[1]).not.toContain("rehearsal");
  await without.end();
});

test("serve takes a study, and an artifact, without a file that declares a serving", async () => {
  await using folder = await temporaryFolder();
  const ask = async (url: string, model: string): Promise<unknown> => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(asked("When was the mill of Ostrel built?", model)),
    });
    return response.json();
  };
  const study = "optimizers/hanrag.ts";
  const declared = await serveCli([study, "--rehearsal"]);
  expect(declared.stdout).toMatch(/models {2}hanrag {2}declared/);
  expect(await ask(declared.url, "hanrag")).toMatchObject({
    choices: [{ message: { role: "assistant", content: expect.any(String) as string } }],
    metadata: { version: "declared" },
  });
  await declared.end();

  const artifact = join(folder.path, "artifact.json");
  const made = await runMain(
    ["eval", study, "--lm", "rehearsal", "--sample", "1", "--artifact", artifact].concat(
      "--out",
      join(folder.path, "result.json"),
    ),
  );
  expect(made).toMatchObject({ code: 0 });
  const compiled = await serveCli([artifact, "--study", study, "--rehearsal"]);
  expect(compiled.stdout).toMatch(/models {2}hanrag {2}[0-9a-f]{12}/);
  expect(await ask(compiled.url, "hanrag")).toMatchObject({
    metadata: { version: expect.stringMatching(/^[0-9a-f]{12}$/) as string },
  });
  await compiled.end();

  const replaced = await serveCli([study, "--candidate", artifact, "--rehearsal"]);
  expect(replaced.stdout).toMatch(/models {2}hanrag {2}[0-9a-f]{12}/);
  await replaced.end();
});

test("serve refuses what would be open to other machines, and what is no serving", async () => {
  const open = await runMain(["serve", file, "--host", "0.0.0.0"]);
  expect(open).toMatchObject({ code: 2 });
  expect(open.stderr).toContain("Other machines can reach 0.0.0.0, but there are no keys");
  const other = await runMain(["serve", "test/support/thrown-by.ts"]);
  expect(other).toMatchObject({ code: 2 });
  expect(other.stderr).toContain("serving-invalid");
});

test("serve without keys is asked under its own names, and those that it is told", async () => {
  const server = await serveCli(
    [file, "--lm", "rehearsal"].concat("--allow-host", "chat.example, towns.example"),
  );
  const { hostname, port } = new URL(server.url);
  const under = async (host: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const taken = (response: IncomingMessage) => resolve(response.resume().statusCode);
    get({ hostname, port, path: "/v1/models", headers: { host } }, taken).on("error", reject);
    return promise;
  };
  const hosts = ["localhost", "chat.example", "towns.example:80", "evil.example"];
  expect(await Promise.all(hosts.map(under))).toEqual([200, 200, 200, 421]);
  await server.end();
});

test("serve --new-key prints a key and the line that lets it in", async () => {
  const { stdout, code } = await runMain(["serve", "--new-key", "alice"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^key {3}esp-[\w-]{43}\nline {2}alice sha256:[0-9a-f]{64}\n$/);
});

test("serve reads the file of its keys again when it changes", async () => {
  await using folder = await temporaryFolder();
  const [alice, bob] = [newApiKey("alice"), newApiKey("bob")];
  const keys = join(folder.path, "keys");
  await writeFile(keys, `${alice.line}\n${bob.line}\n`);
  await using lm = await upstream(answering("There."));
  const server = await serveCli([file, "--lm", lm.url, "--keys", keys]);
  const ask = async ({ key }: { readonly key: string }) => {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify(asked("Where?", "towns")),
    });
    return response.status;
  };
  expect(await ask(alice)).toBe(200);
  await writeFile(keys, `${bob.line}\n`);
  expect([await ask(alice), await ask(bob)]).toEqual([401, 200]);
  expect((await server.end()).code).toBe(0);
});
