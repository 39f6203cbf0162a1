import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { modelServer } from "../../support/model-server.ts";
import { runMain } from "../../support/run-main.ts";
import { serversFolder } from "../../support/servers-folder.ts";
import type { VllmServer } from "../../support/vllm-server.ts";
import { chatPath } from "../../support/vllm-server.ts";

const towns = resolve("test/cli/fixtures/towns.ts");
const nowhere = "http://127.0.0.1:1/v1";
const asking = ["--limit", "2", "--cache", "none", "--patience", "0", "--json"];
const evaluate = ["eval", towns, ...asking];

const chats = ({ requests }: VllmServer) => requests.filter(({ path }) => path === chatPath);

const lastLine = (lines: readonly string[]) => JSON.parse(lines.at(-1) ?? "");

describe("the servers file", () => {
  test("is found in the working folder: its only LM answers, with its key", async () => {
    vi.stubEnv("MAIN_KEY", "main-key");
    vi.stubEnv("ESPALIER_API_KEY", "another-key");
    await using server = await modelServer("main");
    const main = { url: server.baseUrl, model: "main", keyVariable: "MAIN_KEY" };
    await using folder = await serversFolder({ lms: { main } });
    const { code, lines } = await runMain(evaluate, { cwd: folder.path });
    expect(code).toBe(0);
    expect(lastLine(lines)).toMatchObject({
      lm: { model: "main", url: server.baseUrl },
      rehearsal: false,
      mocks: [],
    });
    expect(chats(server).length).toBeGreaterThan(1);
    for (const { headers } of server.requests) {
      expect(headers.authorization).toBe("Bearer main-key");
    }
  });

  test("sends no key to an LM that names none", async () => {
    vi.stubEnv("ESPALIER_API_KEY", "another-key");
    await using server = await modelServer("main");
    await using folder = await serversFolder({
      lms: { main: { url: server.baseUrl, model: "main" } },
    });
    expect((await runMain(evaluate, { cwd: folder.path })).code).toBe(0);
    for (const { headers } of server.requests) expect(headers).not.toHaveProperty("authorization");
  });

  test("may be another one, by --servers, or none", async () => {
    await using server = await modelServer("main");
    const lms = {
      down: { url: nowhere, model: "down" },
      main: { url: server.baseUrl, model: "main" },
    };
    await using folder = await serversFolder({ lms, roles: { answer: "down" } });
    await using other = await serversFolder({ lms, roles: { answer: "main" } });
    const given = await runMain([...evaluate, "--servers", other.file], { cwd: folder.path });
    expect(lastLine(given.lines)).toMatchObject({ lm: { model: "main" }, rehearsal: false });
    const none = await runMain([...evaluate, "--servers", "none"], { cwd: folder.path });
    expect(lastLine(none.lines)).toMatchObject({ lm: { model: "rehearsal" }, rehearsal: true });
    expect((await runMain(evaluate, { cwd: folder.path })).code).toBe(3);
  });

  test("that is named and missing, or malformed, ends the command with 2", async () => {
    await using folder = await serversFolder({ lmss: {} });
    const malformed = await runMain(evaluate, { cwd: folder.path });
    expect(malformed).toMatchObject({ code: 2, stdout: "" });
    expect(malformed.stderr).toContain('Unrecognized key: "lmss"');
    const missing = await runMain([...evaluate, "--servers", "other.json"], { cwd: folder.path });
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toContain("file-missing");
  });

  test("gives way to options: a URL, another of its names, another model", async () => {
    await using main = await modelServer("main");
    await using other = await modelServer("other");
    const lms = {
      main: { url: main.baseUrl, model: "main" },
      other: { url: other.baseUrl, model: "other" },
    };
    await using folder = await serversFolder({ lms, roles: { answer: "main" } });
    const by = async (...options: readonly string[]) =>
      lastLine((await runMain([...evaluate, ...options], { cwd: folder.path })).lines).lm.model;
    expect(await by("--lm", other.baseUrl)).toBe("other");
    expect(await by("--lm", `${other.baseUrl}#other`)).toBe("other");
    expect(await by("--lm", "other")).toBe("other");
    expect(chats(main)).toEqual([]);
    expect(await by("--lm", "rehearsal")).toBe("rehearsal");
    expect(await by()).toBe("main");
    const gone = await runMain([...evaluate, "--model", "gone"], { cwd: folder.path });
    expect(gone.code).toBe(2);
    expect(gone.stderr).toContain("`gone`");
  });

  test("must say which of several LMs answers, and is searched for the names that options use", async () => {
    const lms = { main: { url: nowhere, model: "m" }, other: { url: nowhere, model: "o" } };
    await using folder = await serversFolder({ lms });
    const unsaid = await runMain(evaluate, { cwd: folder.path });
    expect(unsaid).toMatchObject({ code: 2, stdout: "" });
    expect(unsaid.stderr).toContain("No LM is given");
    expect(unsaid.stderr).toContain('"roles": { "answer": "NAME" }');
    expect(unsaid.stderr).toContain("one of main, other");
    const unknown = await runMain([...evaluate, "--lm", "mian"], { cwd: folder.path });
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toContain('The servers file has no LM "mian"');
    expect(unknown.stderr).toContain("main, other");
  });

  test("names a key that must be set, before any server is asked", async () => {
    await using server = await modelServer("main");
    const main = { url: server.baseUrl, model: "main", keyVariable: "ESPALIER_TEST_UNSET" };
    await using folder = await serversFolder({ lms: { main } });
    const { code, stderr } = await runMain(evaluate, { cwd: folder.path });
    expect(code).toBe(2);
    expect(stderr).toContain('key-missing: The key for LM "main" is not set');
    expect(stderr).toContain("ESPALIER_TEST_UNSET");
    expect(server.requests).toEqual([]);
  });

  test("limits the requests in flight at each of its LMs", async () => {
    await using main = await modelServer("main", { latencyMs: 5 });
    const lms = { main: { url: main.baseUrl, model: "main", concurrency: 2 } };
    await using folder = await serversFolder({ lms });
    const many = ["eval", towns, "--limit", "6", "--cache", "none", "--concurrency", "6"];
    expect((await runMain(many, { cwd: folder.path })).code).toBe(0);
    expect(main.maxInFlight).toBe(2);
  });
});

describe("a role that a command does not have", () => {
  const served = resolve("test/cli/fixtures/towns-serving.ts");
  const files = ["--input", "questions.jsonl", "--out", "answers.jsonl"];
  test.each([
    ["run", towns, "--input", JSON.stringify({ question: "Where?", passages: [] })],
    ["batch", served, "--model", "towns", ...files],
  ])(
    "does not keep `espalier %s` from running: its LM may be down, its key unset",
    async (...words) => {
      await using server = await modelServer("main");
      const lms = {
        main: { url: server.baseUrl, model: "main" },
        down: { url: nowhere, model: "down", keyVariable: "ESPALIER_TEST_UNSET" },
      };
      const roles = { answer: "main", judge: "down", reflection: "down" };
      await using folder = await serversFolder({ lms, roles });
      await writeFile(
        join(folder.path, "questions.jsonl"),
        '{"id":"q1","input":{"question":"Where?"}}\n',
      );
      const { code, stderr } = await runMain([...words, "--cache", "none"], { cwd: folder.path });
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(chats(server).length).toBeGreaterThan(0);
    },
  );
});
