import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readRun } from "espalier/optimizer";
import { describe, expect, test, vi } from "vitest";
import { modelServer } from "../../support/model-server.ts";
import { runMain } from "../../support/run-main.ts";
import { serversFolder } from "../../support/servers-folder.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { VllmServer } from "../../support/vllm-server.ts";
import { chatPath } from "../../support/vllm-server.ts";

/** Predictors `judge`, and `answer` where the judge finds an answer. */
const towns = resolve("test/cli/fixtures/towns.ts");
/** Predictors `broadQuery` and `narrowQuery`, each once. */
const places = resolve("test/cli/fixtures/few-places.ts");
const evaluate = ["eval", towns, "--limit", "4", "--cache", "none", "--patience", "0", "--json"];

const chats = ({ requests }: VllmServer) => requests.filter(({ path }) => path === chatPath);
/** The instructions that a server was sent, each once. */
const instructions = (server: VllmServer) =>
  new Set(chats(server).map(({ body }) => /(Decide|Answer with)/.exec(JSON.stringify(body))?.[0]));

const lastLine = (lines: readonly string[]) => JSON.parse(lines.at(-1) ?? "");
const lmOf = (server: VllmServer, model: string) => ({ url: server.baseUrl, model });

describe("--lm-for", () => {
  test("sends a predictor's calls to an LM of the file, or to URL#MODEL, and the rest to --lm", async () => {
    vi.stubEnv("ESPALIER_API_KEY", "url-key");
    await using main = await modelServer("main");
    await using small = await modelServer("small");
    const file = { lms: { main: lmOf(main, "main"), small: lmOf(small, "small") } };
    await using folder = await serversFolder({ ...file, roles: { answer: "main" } });
    const by = async (lm: string) => {
      const ended = await runMain([...evaluate, "--lm-for", `judge=${lm}`], { cwd: folder.path });
      expect(ended).toMatchObject({ code: 0 });
      return ended;
    };

    const named = await by("small");
    expect(instructions(small)).toEqual(new Set(["Decide"]));
    expect(instructions(main)).toEqual(new Set(["Answer with"]));
    expect(named.lines[0]).toBe("judge by small");
    expect(named.stdout).toContain("judge by small (vllm)");
    const { lm, lms, ledger } = lastLine(named.lines);
    expect({ lm, lms }).toMatchObject({
      lm: { model: "main" },
      lms: { judge: { model: "small" } },
    });
    expect(ledger.byRole.student.billed.calls).toBe(chats(main).length + chats(small).length);

    const before = chats(small).length;
    await by(`${small.baseUrl}#small`);
    expect(chats(small).length).toBe(2 * before);
    // The command line's key goes where the command line says, and not to the file's LMs.
    expect(chats(small).at(0)?.headers).not.toHaveProperty("authorization");
    expect(chats(small).at(-1)?.headers.authorization).toBe("Bearer url-key");
  });

  test("needs no servers file, and names one LM for each of several predictors", async () => {
    await using one = await modelServer("one");
    await using two = await modelServer("two");
    await using folder = await temporaryFolder();
    const each = `judge=${one.baseUrl},answer=${two.baseUrl}#two`;
    const given = [...evaluate, "--lm", "rehearsal", "--lm-for", each];
    const { code, lines } = await runMain(given, { cwd: folder.path });
    expect(code).toBe(0);
    expect(instructions(one)).toEqual(new Set(["Decide"]));
    expect(instructions(two)).toEqual(new Set(["Answer with"]));
    expect(lastLine(lines).lms).toMatchObject({
      judge: { model: "one" },
      answer: { model: "two" },
    });
  });

  test("may give one predictor to a mock, and the run says so", async () => {
    await using main = await modelServer("main");
    await using folder = await serversFolder({ lms: { main: lmOf(main, "main") } });
    const given = [...evaluate, "--lm-for", "judge=rehearsal"];
    const { lines } = await runMain(given, { cwd: folder.path });
    expect(instructions(main)).toEqual(new Set(["Answer with"]));
    expect(lines[0]).toBe("mocks play LM (rehearsal)");
    expect(lastLine(lines)).toMatchObject({ rehearsal: true, mocks: [{ part: "lm" }] });

    const search = ["optimize", places, "--budget", "15", "--cache", "none", "--run", "run"];
    const searched = [...search, "--lm-for", "broadQuery=rehearsal", "--patience", "0"];
    expect(await runMain(searched, { cwd: folder.path })).toMatchObject({ code: 0 });
    const { stdout } = await runMain(["show", "run"], { cwd: folder.path });
    expect(stdout).toContain(
      "LM main (rehearsal), broadQuery by rehearsal, mocks play LM (rehears",
    );
  });

  test.each<[problem: string, given: string, ...said: string[]]>([
    [
      "a predictor that the program lacks",
      "jugde=main",
      'No predictor is called "jugde"',
      "judge, answer",
    ],
    ["a name that the file lacks", "judge=mian", 'no LM "mian"', "--lm-for"],
    ["no LM", "judge", "PREDICTOR=NAME", '"judge"'],
    ["a predictor twice", "judge=main,judge=rehearsal", "each predictor once", '"judge=rehearsal"'],
    ["a URL that is none", "judge=http://", "--lm-for"],
  ])("is refused with %s, before any LM is asked", async (_problem, given, ...said) => {
    await using main = await modelServer("main");
    await using folder = await serversFolder({ lms: { main: lmOf(main, "main") } });
    const { code, stdout, stderr } = await runMain([...evaluate, "--lm-for", given], {
      cwd: folder.path,
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    for (const words of said) expect(stderr).toContain(words);
    expect(main.requests).toEqual([]);
  });

  test("is refused without the password in a malformed value", async () => {
    const given = [
      ...evaluate,
      "--servers",
      "none",
      "--lm-for",
      "http://ada:s3cret@127.0.0.1:1/v1",
    ];
    const { code, stderr } = await runMain(given);
    expect(code).toBe(2);
    expect(stderr).toContain("127.0.0.1:1");
    expect(stderr).not.toContain("s3cret");
  });

  test("asks for #MODEL where the server has several", async () => {
    await using server = await modelServer("one");
    server.always("/v1/models", (_request, response) => {
      response.end(JSON.stringify({ object: "list", data: [{ id: "one" }, { id: "two" }] }));
    });
    const given = ["--servers", "none", "--lm", "rehearsal", "--lm-for", `judge=${server.baseUrl}`];
    const { code, stderr } = await runMain([...evaluate, ...given]);
    expect(code).toBe(2);
    expect(stderr).toContain("--lm-for judge=URL#MODEL");
    expect(stderr).toContain("one, two");
  });
});

test("espalier batch gives a served model's predictor an LM of its own, and its record names it", async () => {
  await using main = await modelServer("main");
  await using small = await modelServer("small");
  const lms = { main: lmOf(main, "main"), small: lmOf(small, "small") };
  await using folder = await serversFolder({ lms, roles: { answer: "main" } });
  await writeFile(join(folder.path, "rows.jsonl"), '{"id":"q1","input":{"question":"Where?"}}\n');
  const serving = resolve("test/cli/fixtures/towns-serving.ts");
  const files = ["--input", "rows.jsonl", "--out", "answers.jsonl", "--cache", "none"];
  const batch = ["batch", serving, "--model", "towns", ...files, "--lm-for", "answer=small"];
  expect(await runMain(batch, { cwd: folder.path })).toMatchObject({ code: 0 });
  expect([chats(main).length, chats(small).length]).toEqual([0, 1]);
  const record = await readFile(join(folder.path, "answers.jsonl.run.json"), "utf8");
  expect(JSON.parse(record)).toMatchObject({ lms: { answer: { model: "small" } } });
  const other = await runMain([...batch, "--lm-for=answer=main"].toSpliced(-3, 2), {
    cwd: folder.path,
  });
  expect(other.code).toBe(2);
  expect(other.stderr).toContain("answer by small");
});

describe("the predictors of the servers file", () => {
  test("have their LMs in every program that has them; others do not matter, and --lm-for wins", async () => {
    await using main = await modelServer("main");
    await using small = await modelServer("small");
    const down = {
      url: "http://127.0.0.1:1/v1",
      model: "down",
      keyVariable: "ESPALIER_TEST_UNSET",
    };
    await using folder = await serversFolder({
      lms: { main: lmOf(main, "main"), small: lmOf(small, "small"), down },
      roles: { answer: "main" },
      predictors: { judge: "small", elsewhere: "down" },
    });
    expect((await runMain(evaluate, { cwd: folder.path })).code).toBe(0);
    expect(instructions(small)).toEqual(new Set(["Decide"]));
    const asked = chats(small).length;
    const given = [...evaluate, "--lm-for", "judge=main"];
    expect((await runMain(given, { cwd: folder.path })).code).toBe(0);
    expect(chats(small).length).toBe(asked);
    expect(instructions(main)).toEqual(new Set(["Decide", "Answer with"]));
  });

  test("leave a reranker's LM alone where the study has no reranker", async () => {
    await using main = await modelServer("main");
    const down = { url: "http://127.0.0.1:1/v1", model: "down" };
    await using folder = await serversFolder({
      lms: { main: lmOf(main, "main"), down },
      roles: { answer: "main" },
      reranker: { lm: "down" },
    });
    expect((await runMain(evaluate, { cwd: folder.path })).code).toBe(0);
  });
});

describe("espalier optimize with an LM for one predictor", () => {
  test("counts its calls in caps, ledger and report, names it in the artifact, and resumes with it", async () => {
    await using main = await modelServer("main");
    await using small = await modelServer("small");
    const lms = { main: lmOf(main, "main"), small: lmOf(small, "small") };
    await using folder = await serversFolder({ lms, roles: { answer: "main" } });
    await using elsewhere = await temporaryFolder();
    const run = join(folder.path, "run");
    const asked = ["--budget", "40", "--max-lm-calls", "60", "--cache", "none"];
    const given = ["optimize", places, ...asked, "--lm-for", "narrowQuery=small"];
    const first = await runMain([...given, "--run", run, "--json"], { cwd: folder.path });
    expect({ code: first.code, stderr: first.stderr }).toMatchObject({ code: 0 });

    const { spent, ledger, reason, lms: named } = lastLine(first.lines);
    expect(named).toMatchObject({ narrowQuery: { model: "small" } });
    expect(reason).toBe("budget");
    expect(spent.lmCalls).toBeGreaterThan(40);
    expect(spent.lmCalls).toBeLessThanOrEqual(60);
    const calls = chats(main).length + chats(small).length;
    expect(chats(small).length).toBeGreaterThan(20);
    expect(ledger.total.billed.calls).toBe(calls);
    const artifact = JSON.parse(await readFile(join(run, "artifact.json"), "utf8"));
    expect(artifact.run.lms).toMatchObject({ narrowQuery: { model: "small" } });
    expect(readRun(run).run["lms"]).toEqual({ narrowQuery: { provider: "vllm", model: "small" } });
    const shown = await runMain(["show", run]);
    expect(shown.stdout).toContain("LM main, narrowQuery by small, seed 0");
    const shownArtifact = await runMain(["show", join(run, "artifact.json")]);
    expect(shownArtifact.stdout).toContain("LM main (vllm)\nnarrowQuery by small (vllm)\n");

    // From another folder, which has no servers file.
    const resumed = await runMain(["optimize", places, "--resume", run], { cwd: elsewhere.path });
    expect({ code: resumed.code, stderr: resumed.stderr }).toMatchObject({ code: 0 });
    expect(resumed.stderr).toContain("--lm-for narrowQuery=small");
    expect(resumed.stderr).toContain(`--servers ${folder.file}`);
    expect(chats(main).length + chats(small).length).toBe(calls);
  });
});
