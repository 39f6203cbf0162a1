import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { modelServer } from "../../support/model-server.ts";
import { runMain } from "../../support/run-main.ts";
import { searchServer } from "../../support/search-server.ts";
import { serversFolder } from "../../support/servers-folder.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { chatPath, refuse } from "../../support/vllm-server.ts";

const nowhere = "http://127.0.0.1:1/v1";

/** What is the same in every run. */
const shown = (stdout: string, folder: string): string =>
  stdout.replaceAll(folder, "FOLDER").replaceAll(/127\.0\.0\.1:\d+/g, "HOST");

describe("espalier servers", () => {
  test("shows who plays which part, asks every part, and examines every LM", async () => {
    vi.stubEnv("MAIN_KEY", "main-key");
    vi.stubEnv("SEARCH_KEY", "search-key");
    await using main = await modelServer("main");
    await using text = await modelServer("text");
    await using search = await searchServer(() => [{ id: "d1", text: "There." }]);
    const at = { url: text.baseUrl, model: "text" };
    await using folder = await serversFolder({
      lms: { main: { url: main.baseUrl, model: "main", keyVariable: "MAIN_KEY" } },
      roles: { answer: "main", judge: "main" },
      predictors: { judge: "main" },
      embedder: at,
      reranker: at,
      pairScorer: at,
      tokenizer: "main",
      search: { url: search.url, keyVariable: "SEARCH_KEY" },
    });
    const { code, stdout, stderr } = await runMain(["servers"], { cwd: folder.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [cast = "", trials = "", ...examinations] = shown(stdout, folder.path).split("\n\n");
    expect(cast).toMatchInlineSnapshot(`
      "espalier.servers.json
        LM main     main at http://HOST/v1: answer, judge, predictor judge, tokenizer
        embedder    text at http://HOST/v1
        reranker    text at http://HOST/v1
        pairScorer  text at http://HOST/v1
        tokenizer   LM main
        search      http://HOST/search"
    `);
    expect(trials).toMatchInlineSnapshot(`
      "embedder    works  384 dimensions
      reranker    works  ranks the passage that answers first
      pairScorer  works  scores 0.424 for an answer, 0.0100 for another text
      tokenizer   works  7 tokens in "Where does the lighthouse stand?"
      search      works  finds 1 for "Where does the lighthouse stand?""
    `);
    expect(examinations.join("\n\n")).toMatch(/^main: main at http:\/\/HOST\/v1\nversion /);
    expect(examinations.join("\n\n")).toMatch(/^json schema +yes/m);
    const keys = new Set(main.requests.map(({ headers }) => headers.authorization));
    expect(keys).toEqual(new Set(["Bearer main-key"]));
    expect(search.received[0]?.headers["x-api-key"]).toBe("search-key");
    expect(stdout).not.toMatch(/main-key|search-key/);
  });

  test("remembers what it found of an LM, unless it is told --fresh", async () => {
    await using main = await modelServer("main");
    await using folder = await serversFolder({
      lms: { main: { url: main.baseUrl, model: "main" } },
    });
    const calls = (): number => main.requests.filter(({ path }) => path === chatPath).length;
    const run = (...more: readonly string[]) => runMain(["servers", ...more], { cwd: folder.path });
    expect((await run()).stdout).toMatch(/^ {2}LM main +main at http:\S+: answer$/m);
    const first = calls();
    expect(first).toBeGreaterThan(0);
    expect(await readdir(join(folder.path, ".espalier", "servers"))).toHaveLength(1);
    await run();
    expect(calls()).toBe(first);
    await run("--fresh");
    expect(calls()).toBe(2 * first);
  });

  test("ends with 3 if anything fails, says what, and still asks all others", async () => {
    await using main = await modelServer("main");
    await using text = await modelServer("text");
    text.always("/v1/rerank", refuse(500, "out of memory"));
    const at = { url: text.baseUrl, model: "text" };
    await using folder = await serversFolder({
      lms: {
        down: { url: nowhere, model: "down" },
        locked: { url: main.baseUrl, model: "main", keyVariable: "ESPALIER_TEST_UNSET" },
        main: { url: [nowhere, main.baseUrl], model: "main" },
      },
      roles: { answer: "main", reflection: "rehearsal" },
      embedder: { ...at, model: "other" },
      reranker: at,
      pairScorer: at,
      tokenizer: { ...at, keyVariable: "ESPALIER_TEST_UNSET" },
      search: { url: "http://ada:s3cret@127.0.0.1:1/search" },
    });
    const run = (...more: readonly string[]) => runMain(["servers", ...more], { cwd: folder.path });
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
    expect(stdout).toMatch(/^ {2}LM +rehearsal: reflection$/m);
    expect(stdout).toMatch(/^embedder +fails +.*The server offers `text`/m);
    expect(stdout).toMatch(/^reranker +fails +.*out of memory/m);
    expect(stdout).toMatch(/^pairScorer +works +scores /m);
    expect(stdout).toMatch(/^tokenizer +fails +.*ESPALIER_TEST_UNSET/m);
    expect(stdout).toMatch(/^search +fails /m);
    expect(stdout).toMatch(/^down: down at \S+ could not be examined: .*could not be reached/m);
    expect(stdout).toMatch(/^locked: .*ESPALIER_TEST_UNSET/m);
    expect(stdout).toMatch(/^main: main at http:\/\/127\.0\.0\.1:1\/v1 could not be examined/m);
    expect(stdout).toMatch(/^main: main at http:\S+\nversion /m);
    expect(stdout).not.toContain("s3cret");

    const json = await run("--json");
    expect(json).toMatchObject({ code: 3, stderr: "" });
    const { file, parts, lms } = JSON.parse(json.stdout);
    expect(file).toBe("espalier.servers.json");
    expect(parts).toMatchObject([
      { part: "embedder", isWorking: false, model: "other", url: text.baseUrl },
      { part: "reranker", isWorking: false },
      { part: "pairScorer", isWorking: true },
      { part: "tokenizer", isWorking: false },
      { part: "search", isWorking: false, url: "http://127.0.0.1:1/search" },
    ]);
    expect(lms).toMatchObject([
      { lm: "down", url: nowhere, examination: null, failure: expect.any(String) },
      { lm: "locked", examination: null, failure: expect.stringContaining("is not set") },
      { lm: "main", url: nowhere, examination: null },
      { lm: "main", url: main.baseUrl, examination: { model: "main" } },
    ]);
    expect(json.stdout).not.toContain("s3cret");
  });

  test("takes another file by --servers, and refuses one that is missing or malformed with 2", async () => {
    await using folder = await temporaryFolder();
    const run = (...more: readonly string[]) => runMain(["servers", ...more], { cwd: folder.path });
    const missing = await run();
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toContain("espalier.servers.json");
    await writeFile(join(folder.path, "a.json"), '{ "format": "espalier-servers/1", "lm": {} }');
    const malformed = await run("--servers", "a.json");
    expect(malformed).toMatchObject({ code: 2, stdout: "" });
    expect(malformed.stderr).toContain('Unrecognized key: "lm"');
  });
});
