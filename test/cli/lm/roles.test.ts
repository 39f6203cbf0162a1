import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readRun } from "espalier/optimizer";
import { describe, expect, test } from "vitest";
import { modelServer } from "../../support/model-server.ts";
import { runMain } from "../../support/run-main.ts";
import { serversFolder } from "../../support/servers-folder.ts";
import type { VllmServer } from "../../support/vllm-server.ts";
import { chatPath } from "../../support/vllm-server.ts";

const places = resolve("test/cli/fixtures/few-places.ts");
/** Its metric and its reranker ask an LM. */
const graded = resolve("test/cli/fixtures/few-graded-places.ts");

const chats = ({ requests }: VllmServer) => requests.filter(({ path }) => path === chatPath);
const lastLine = (lines: readonly string[]) => JSON.parse(lines.at(-1) ?? "");
const lmOf = (server: VllmServer, model: string) => ({ url: server.baseUrl, model });

describe("the roles of the servers file", () => {
  test("send what the optimizer and the metric ask to servers of their own", async () => {
    await using main = await modelServer("main");
    await using thinker = await modelServer("thinker");
    await using judge = await modelServer("judge");
    const lms = {
      main: lmOf(main, "main"),
      thinker: lmOf(thinker, "thinker"),
      judge: lmOf(judge, "judge"),
    };
    const roles = { answer: "main", reflection: "thinker", judge: "judge" };
    await using folder = await serversFolder({ lms, roles });
    const run = ["--run", "run", "--budget", "16", "--cache", "none", "--json"];
    const { code, lines, stderr } = await runMain(["optimize", graded, ...run], {
      cwd: folder.path,
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { ledger, judgeLm, lm } = lastLine(lines);
    expect({ lm, judgeLm }).toMatchObject({ lm: { model: "main" }, judgeLm: { model: "judge" } });
    const billed = (role: string): number => ledger.byRole[role].billed.calls;
    expect(chats(thinker).length).toBe(billed("reflection"));
    expect(chats(judge).length).toBe(billed("judge"));
    expect(chats(main).length).toBe(billed("student") + billed("reranking"));
    expect(Math.min(chats(thinker).length, chats(judge).length)).toBeGreaterThan(0);
    expect(readRun(join(folder.path, "run")).run).toMatchObject({
      reflectionLm: { provider: "vllm", model: "thinker" },
      judgeLm: { provider: "vllm", model: "judge" },
    });
  });

  test("give way to options, and a role that is one of the LM that answers shares its limit", async () => {
    await using main = await modelServer("main", { latencyMs: 2 });
    const lms = {
      main: { ...lmOf(main, "main"), concurrency: 2 },
      down: { url: "http://127.0.0.1:1/v1", model: "down" },
    };
    await using folder = await serversFolder({ lms, roles: { answer: "main", judge: "down" } });
    const given = ["eval", graded, "--limit", "4", "--cache", "none", "--judge-lm", "main"];
    const { code, lines } = await runMain([...given, "--json"], { cwd: folder.path });
    expect(code).toBe(0);
    expect(lastLine(lines)).toMatchObject({ judgeLm: { model: "main" } });
    expect(main.maxInFlight).toBe(2);
  });
});

describe("the prices of the servers file", () => {
  const cheap = { promptUsdPerMillion: 1, completionUsdPerMillion: 8 };
  const dear = { promptUsdPerMillion: 2, completionUsdPerMillion: 4 };
  const dearest = { promptUsdPerMillion: 2, completionUsdPerMillion: 8 };
  const thinking = { promptUsdPerMillion: 10, completionUsdPerMillion: 40 };
  const plan = ["optimize", places, "--budget", "40", "--max-usd", "1", "--plan"];

  /** No server is asked for a plan. */
  const url = "http://127.0.0.1:1/v1";
  const lms = {
    cheap: { url, model: "cheap", price: cheap },
    dear: { url, model: "dear", price: dear },
    thinker: { url, model: "thinker", price: thinking },
    own: { url, model: "own" },
  };
  const roles = { answer: "cheap", reflection: "thinker" };

  test("are those of a run, whose cap they keep: the dearest among its predictors, part by part", async () => {
    await using main = await modelServer("cheap");
    await using other = await modelServer("dear");
    await using thinker = await modelServer("thinker");
    await using folder = await serversFolder({
      lms: {
        cheap: { ...lms.cheap, url: main.baseUrl },
        dear: { ...lms.dear, url: other.baseUrl },
        thinker: { ...lms.thinker, url: thinker.baseUrl },
      },
      roles,
      predictors: { narrowQuery: "dear" },
    });
    const given = ["optimize", places, "--max-usd", "0.4", "--cache", "none", "--run", "run"];
    const { code, lines, stderr } = await runMain([...given, "--json"], { cwd: folder.path });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { run } = readRun(join(folder.path, "run"));
    expect(run["prices"]).toEqual({
      student: dearest,
      reflection: thinking,
      judge: cheap,
      reranking: cheap,
    });
    const { costUsd, reason } = lastLine(lines);
    expect(reason).toBe("budget");
    expect(costUsd).toBeGreaterThan(0);
    expect(costUsd).toBeLessThanOrEqual(0.4);
  });

  test("count only the LMs that the predictors ask", async () => {
    const predictors = { broadQuery: "cheap", narrowQuery: "cheap" };
    await using one = await serversFolder({ lms, roles: { ...roles, answer: "dear" }, predictors });
    await using two = await serversFolder({ lms, roles });
    const [given, asked] = [
      await runMain(plan, { cwd: one.path }),
      await runMain(plan, { cwd: two.path }),
    ];
    expect(given).toMatchObject({ code: 0 });
    const costOf = (stderr: string) => /^estimated cost: .*$/m.exec(stderr)?.[0];
    expect(costOf(given.stderr)).toBeDefined();
    expect(costOf(given.stderr)).toBe(costOf(asked.stderr));
  });

  test.each<[whose: string, file: object, role: string]>([
    ["a predictor's LM", { roles, predictors: { narrowQuery: "own" } }, "`student`"],
    ["the LM that answers", { roles: { ...roles, answer: "own" } }, "`student`"],
    ["the reflection LM", { roles: { ...roles, reflection: "own" } }, "`reflection`"],
    ["the judge LM", { roles: { ...roles, judge: "own" } }, "`judge`"],
  ])("do not allow a cap on money where %s has none", async (_whose, file, role) => {
    await using folder = await serversFolder({ lms, ...file });
    const { code, stderr } = await runMain(plan, { cwd: folder.path });
    expect(code).toBe(2);
    expect(stderr).toContain("option-invalid");
    expect(stderr).toContain(`without prices for ${role}.`);
  });

  test("give way to --prices", async () => {
    await using folder = await serversFolder({ lms, roles: { ...roles, answer: "own" } });
    const prices = { student: cheap, reflection: cheap };
    await writeFile(join(folder.path, "prices.json"), JSON.stringify(prices));
    const given = [...plan, "--prices", "prices.json"];
    expect((await runMain(given, { cwd: folder.path })).code).toBe(0);
  });
});
