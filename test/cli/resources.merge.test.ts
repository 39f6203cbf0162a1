import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { endOf } from "../../packages/mcp/test/support/odd-mcp.ts";
import { needsRedis, redisServer } from "../support/redis-server.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { serveCli } from "../support/serve-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

const fixture = (name: string): string => resolve("test/cli/fixtures", `${name}.ts`);
const study = fixture("looking-up");
const input = JSON.stringify({ question: "What is it?" });

let files = 0;
/** A place for a command's files, in which it leaves the ids of the servers that it starts. */
const place = () => {
  const pids = join(folder.path, `pids-${++files}`);
  return {
    options: { cwd: folder.path, env: { PIDS: pids } },
    /** How many servers there were; resolves once all have ended. */
    servers: async () => {
      const ids = (await readFile(pids, "utf8")).trim().split("\n").map(Number);
      await Promise.all(ids.map(endOf));
      return ids.length;
    },
  };
};

describe("a study that leaves the server of its tools open", () => {
  it.each([
    ["eval", ["eval", study, "--rehearsal"], "exact_match"],
    ["show", ["show", study], "looking-up: program"],
    ["show", ["show", study, "--predictor", "clerk", "--input", input], "Look it up."],
    ["run", ["run", study, "--input", input, "--rehearsal"], '"answer": "ok"'],
    ["optimize --plan", ["optimize", study, "--budget=20", "--plan", "--rehearsal"], "plan: "],
    ["optimize", ["optimize", study, "--budget=20", "--rehearsal"], "test"],
    ["experiment", ["experiment", fixture("looking-up-experiment"), "--rehearsal"], "as-declared"],
  ])("lets espalier %s end, and its server with it", async (_, args, printed) => {
    const { options, servers } = place();
    const { code, stdout, stderr } = await runCli(args, options);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout + stderr).toContain(printed);
    expect(await servers()).toBe(1);
  });

  it("lets espalier batch end", async () => {
    const { options, servers } = place();
    const questions = join(folder.path, "questions.jsonl");
    await writeFile(questions, `${JSON.stringify({ id: "a", input: JSON.parse(input) })}\n`);
    const out = join(folder.path, "answers.jsonl");
    const words = [fixture("looking-up-serving"), "--model", "looking-up", "--rehearsal"];
    const { code, stderr } = await runCli(
      ["batch", ...words, "--input", questions, "--out", out],
      options,
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(existsSync(out)).toBe(true);
    expect(await servers()).toBe(1);
  });

  it("lets espalier serve end when it is told to, and keeps the server until then", async () => {
    const { options, servers } = place();
    const serving = fixture("looking-up-serving");
    const server = await serveCli([serving, "--rehearsal", "--no-auth"], options);
    const answered = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "looking-up",
        messages: [{ role: "user", content: "What is it?" }],
      }),
    });
    expect(answered.status).toBe(200);
    await server.end();
    expect(await servers()).toBe(1);
  });

  it("ends its server after an error and after Ctrl-C too, even one that does not want to", async () => {
    const wrong = place();
    const env = { ...wrong.options.env, DEAF: "yes" };
    const { code } = await runCli(["eval", study, "--trainset", "none", "--rehearsal"], {
      ...wrong.options,
      env,
    });
    expect(code).not.toBe(0);
    expect(await wrong.servers()).toBe(1);
    const stopped = place();
    const serving = startCli(
      ["serve", fixture("looking-up-serving"), "--rehearsal", "--no-auth", "--port", "0"],
      { ...stopped.options, env: { ...stopped.options.env, DEAF: "yes" } },
    );
    await serving.printed("  routes ");
    serving.interrupt();
    await serving.ended;
    expect(await stopped.servers()).toBe(1);
  });
});

describe("a worker and its coordinator", () => {
  needsRedis();
  it("end with their servers, and take the calls of tools that a worker has made", async () => {
    await using redis = await redisServer();
    const { options, servers } = place();
    const at = ["--redis", redis.url, "--rehearsal"];
    const worker = startCli(["worker", study, ...at], options);
    await worker.saw("Worker ");
    const { code, stdout, stderr } = await runCli(["eval", study, ...at], options);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain("exact_match  1.0000");
    worker.interrupt("SIGTERM");
    await worker.ended;
    expect(await servers()).toBe(2);
  });
});

it("the resources of a study are disposed of once, after the result is printed", async () => {
  const { options, servers } = place();
  const disposed = join(folder.path, "disposed");
  const env = { ...options.env, DISPOSED: disposed };
  const { code, stdout } = await runCli(["eval", study, "--rehearsal"], { ...options, env });
  expect(code).toBe(0);
  expect(stdout).toContain("exact_match");
  expect(await readFile(disposed, "utf8")).toBe("disposed\n");
  expect(await servers()).toBe(1);
});

it("a resource that cannot be disposed of is told after the result, and fails the command", async () => {
  const { options, servers } = place();
  const env = { ...options.env, DISPOSED: join(folder.path, "failed"), FAILS: "yes" };
  const { code, stdout, stderr } = await runCli(["show", study], { ...options, env });
  expect(stdout).toContain("looking-up: program");
  expect(stderr).toContain("the pool would not close");
  expect(code).not.toBe(0);
  expect(await servers()).toBe(1);
});

it("a process that ends at once leaves no server behind, even one that does not want to end", async () => {
  const { options, servers } = place();
  const script = `await import(${JSON.stringify(study)}); process.exit(0);`;
  const child = spawn(
    process.execPath,
    ["--conditions=espalier:source", "--input-type=module", "--eval", script],
    { cwd: options.cwd, env: { ...process.env, ...options.env, DEAF: "yes" } },
  );
  await once(child, "exit");
  expect(await servers()).toBe(1);
});
