import { spawn } from "node:child_process";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readArtifact } from "espalier/artifact";
import { serveRehearsal } from "@espalier/rehearsal";
import type { CliResult } from "../support/run-cli.ts";
import { espalier, runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { chat, chatPath, vllmServer } from "../support/vllm-server.ts";

const repository = resolve(import.meta.dirname, "../..");
const places = "test/cli/fixtures/places.ts";

/** Runs the command line in a shell whose processes can write no file beyond a size. */
function runLimited(args: readonly string[], limitBytes: number): Promise<CliResult> {
  const limit = `ulimit -f ${Math.floor(limitBytes / 512)};`;
  const source = ["--conditions=espalier:source", resolve(repository, "src/cli/bin.ts")];
  const child = spawn(
    "sh",
    ["-c", `${limit} exec "$@"`, "sh", process.execPath, ...source, ...args],
    {
      cwd: process.cwd(),
      // What Node.js keeps of compiled code is not what is tested.
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((done) => child.once("close", (code) => done({ code, stdout, stderr })));
}

interface Line {
  readonly kind: string;
  readonly key?: string;
}

async function linesIn(path: string): Promise<readonly Line[]> {
  const lines = (await readFile(path, "utf8")).split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

function received(server: Awaited<ReturnType<typeof serveRehearsal>>): number {
  return server.calls().byEndpoint["POST /v1/chat/completions"]?.received ?? 0;
}

/** What the command line says of an error, which is one line. */
function errorIn({ stderr }: CliResult): string {
  const errors = stderr.split("\n").filter((line) => line.startsWith("espalier: "));
  expect({ stderr, errors: errors.length }).toMatchObject({ errors: 1 });
  expect(stderr).not.toMatch(/^ {4}at /m);
  return errors[0] ?? "";
}

describe("a run that can write no further", () => {
  it("stops with what is kept, and goes on to the same artifact without paying twice", async () => {
    await using server = await serveRehearsal({ latencyMs: 2 });
    await using folder = await temporaryFolder();
    const [whole, cut] = ["whole", "cut"].map((name) => join(folder.path, name)) as [
      string,
      string,
    ];
    const options = [places, "--lm", `${server.url}/v1`, "--budget", "40", "--cache", "none"];
    await runCli(["optimize", ...options, "--run", whole]);
    const { size } = await stat(join(whole, "journal.jsonl"));

    const stopped = await runLimited(["optimize", ...options, "--run", cut], size / 2);
    expect(stopped.code).toBe(1);
    const error = errorIn(stopped);
    expect(error).toMatch(
      /^espalier: write-failed: The file reached the size limit .*journal[.]jsonl/,
    );
    const said = /(\d+) replies are saved .*, (?:no call was|(\d+) calls) in flight/.exec(error);
    const lines = await linesIn(join(cut, "journal.jsonl"));
    const count = (...kinds: readonly string[]): number =>
      lines.filter(({ kind }) => kinds.includes(kind)).length;
    const kept = new Set(lines.flatMap(({ kind, key }) => (kind === "reply" ? [key] : [])));
    expect(Number(said?.[1])).toBe(kept.size);
    expect(Number(said?.[2] ?? 0)).toBe(count("sent") - count("reply", "failed"));
    expect(stopped.stderr).toContain(`To resume: ${espalier} optimize`);

    const replies = (await linesIn(join(whole, "journal.jsonl"))).filter(
      ({ kind }) => kind === "reply",
    );
    const before = received(server);
    const resumed = await runCli(["optimize", ...options, "--resume", cut]);
    expect(resumed).toMatchObject({ code: 0 });
    const inSearch = (await linesIn(join(cut, "journal.jsonl"))).filter(
      ({ kind }) => kind === "reply",
    );
    const reported = (await linesIn(join(cut, "report.jsonl"))).filter(
      ({ kind }) => kind === "reply",
    );
    expect(inSearch).toHaveLength(replies.length);
    expect(received(server) - before).toBe(inSearch.length - kept.size + reported.length);
    const [expected, made] = await Promise.all(
      [whole, cut].map((run) => readArtifact(join(run, "artifact.json"))),
    );
    expect(made?.hash).toBe(expected?.hash);
  });

  it("says in one sentence that the place of the run is a file", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "file");
    await writeFile(path, "");
    const options = ["optimize", places, "--budget", "30", "--run", join(path, "run")];
    const refused = await runCli(options);
    expect(refused.code).toBe(1);
    expect(errorIn(refused)).toMatch(/^espalier: write-failed: The path cannot hold a file .*run/);
  });
});

describe("other commands that can write no further", () => {
  it("eval says so of a cache, and keeps the replies before", async () => {
    await using lm = await vllmServer();
    // Together longer than the limit, in however many batches they are written.
    lm.always(chatPath, chat({ content: JSON.stringify({ query: "word ".repeat(1_000) }) }));
    await using folder = await temporaryFolder();
    const cache = join(folder.path, "cache.sqlite");
    const options = ["eval", places, "--lm", lm.baseUrl, "--cache", cache];
    const stopped = await runLimited(options, 48 * 1024);
    expect(stopped.code).toBe(1);
    expect(errorIn(stopped)).toMatch(/^espalier: write-failed: .*cache[.]sqlite.*are kept/);
    const again = await runCli(options);
    expect(again).toMatchObject({ code: 0 });
  });

  it("batch says so with what has no line, and the same command asks only that", async () => {
    await using lm = await vllmServer();
    const long = "word ".repeat(400);
    lm.always(chatPath, chat({ content: JSON.stringify({ answer: long }) }));
    const asked = (): number => lm.requests.filter(({ path }) => path === chatPath).length;
    await using folder = await temporaryFolder();
    const [input, out] = ["in.jsonl", "out.jsonl"].map((name) => join(folder.path, name)) as [
      string,
      string,
    ];
    const questions = Array.from({ length: 30 }, (_, id) => ({
      id,
      input: { question: `Town ${id}?` },
    }));
    await writeFile(input, questions.map((each) => `${JSON.stringify(each)}\n`).join(""));
    const options = [
      "batch",
      "test/cli/fixtures/batch-serving.ts",
      "--model=towns/answerer",
    ].concat(
      [`--input=${input}`, `--out=${out}`, `--lm=${lm.baseUrl}`, "--cache=none"],
      "--concurrency=3",
    );
    const stopped = await runLimited(options, 32 * 1024);
    expect(stopped.code).toBe(3);
    expect(stopped.stdout).toMatch(
      /stopped early: write-failed: .*out[.]jsonl.*Earlier lines are kept/,
    );
    expect(stopped.stderr).not.toMatch(/^ {4}at /m);
    const kept = (await readFile(out, "utf8")).split("\n").length - 1;
    expect(stopped.stdout).toContain(`${30 - kept} not processed`);
    const before = asked();
    const again = await runCli(options);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain(`${30 - kept} answered, ${kept} kept`);
    expect(asked() - before).toBe(30 - kept);
  });

  it("corpus build says so, and the same command builds the index later", async () => {
    await using folder = await temporaryFolder();
    const [corpus, index] = ["c.jsonl", "i.sqlite"].map((name) => join(folder.path, name)) as [
      string,
      string,
    ];
    const passages = Array.from({ length: 400 }, (_, id) =>
      JSON.stringify({ id: `p${id}`, title: `Title ${id}`, text: `word${id} `.repeat(100) }),
    );
    await mkdir(folder.path, { recursive: true });
    await writeFile(corpus, `${passages.join("\n")}\n`);
    const options = ["corpus", "build", corpus, "--out", index];
    const stopped = await runLimited(options, 100 * 1024);
    expect(stopped.code).toBe(1);
    expect(errorIn(stopped)).toMatch(/^espalier: write-failed: .*i[.]sqlite.*then rebuild it/);
    expect(await runCli(options)).toMatchObject({ code: 0 });
  });
});
