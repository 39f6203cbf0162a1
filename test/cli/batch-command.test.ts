import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCli } from "../support/run-cli.ts";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { Answer, ReceivedRequest, VllmServer } from "../support/vllm-server.ts";
import { chat, chatPath, json, stall, vllmServer } from "../support/vllm-server.ts";

const serving = "test/cli/fixtures/batch-serving.ts";

const rows = (queries: readonly string[]): string =>
  queries.map((query, index) => `${JSON.stringify({ query, iid: `q${index + 1}` })}\n`).join("");

const linesOf = async (path: string): Promise<Record<string, unknown>[]> =>
  (await readFile(path, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const textOf = ({ body }: ReceivedRequest): string => String(body.messages.at(-1).content);

/** Answers with the question itself, so that lines can be told apart. */
const echo: Answer = chat((request) => {
  const [question = "?"] = /[A-Z]\w* \d\?/.exec(textOf(request)) ?? [];
  return { content: JSON.stringify({ answer: `echo ${question}` }) };
});

async function serverThat(answer: Answer): Promise<VllmServer> {
  const server = await vllmServer();
  server.always(chatPath, answer);
  return server;
}

const chatsOf = ({ requests }: VllmServer): number =>
  requests.filter(({ path }) => path === chatPath).length;

const args = (folder: string, lm: VllmServer | "rehearsal", more: readonly string[] = []) => [
  "batch",
  serving,
  "--model=towns/answerer",
  `--input=${join(folder, "questions.jsonl")}`,
  `--out=${join(folder, "result.jsonl")}`,
  "--protocol=test/cli/fixtures/mmu-rag.ts",
  `--lm=${lm === "rehearsal" ? lm : lm.baseUrl}`,
  "--cache=none",
  "--patience=0",
  ...more,
];

describe("espalier batch", () => {
  it("writes one object a question in the order of the input, and asks only what is left", async () => {
    await using folder = await temporaryFolder();
    await using lm = await serverThat(echo);
    const input = join(folder.path, "questions.jsonl");
    const out = join(folder.path, "result.jsonl");
    await writeFile(input, rows(["Town 1?", "Break 2?", "Town 3?"]));
    const first = await runMain(args(folder.path, lm, ["--json"]));
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ written: 3, failed: 1, left: 0, kept: 0 });
    expect(await linesOf(out)).toEqual([
      {
        query_id: "q1",
        generated_response: "echo Town 1?",
        citations: ["https://a.example/1"],
        contexts: ["Ostrel lies at a river."],
      },
      {
        query_id: "q2",
        generated_response: "Error processing query: The program's own code threw an error.",
        citations: [],
        contexts: [],
      },
      expect.objectContaining({ query_id: "q3", generated_response: "echo Town 3?" }),
    ]);

    // A kill tore the last line, and the input has grown.
    await appendFile(out, '{"query_id":"q4","generated_resp');
    await writeFile(input, rows(["Town 1?", "Break 2?", "Town 3?", "Town 4?"]));
    const asked = chatsOf(lm);
    const second = await runMain(args(folder.path, lm));
    expect(second.stdout).toContain("1 answered, 3 kept");
    expect(chatsOf(lm) - asked).toBe(1);
    expect((await linesOf(out)).map((line) => line["query_id"])).toEqual(["q1", "q2", "q3", "q4"]);

    const other = await runMain(args(folder.path, "rehearsal"));
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("journal-mismatch");
    expect(other.stderr).toContain("test-model");
  });

  it("asks nothing for a question that is too long, and its line says so", async () => {
    await using folder = await temporaryFolder();
    await using lm = await serverThat(echo);
    const questions = ["Town 1?", `Town 2? ${"x".repeat(200)}`];
    await writeFile(join(folder.path, "questions.jsonl"), rows(questions));
    const { code, stdout } = await runMain(args(folder.path, lm, ["--max-input=100", "--json"]));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ written: 2, failed: 1, left: 0 });
    expect(await linesOf(join(folder.path, "result.jsonl"))).toMatchObject([
      { query_id: "q1", generated_response: "echo Town 1?" },
      {
        query_id: "q2",
        generated_response:
          "Error processing query: The input `question` has 208 characters; this model accepts at most 100.",
      },
    ]);
    expect(chatsOf(lm)).toBe(1);
  });

  it("keeps what is done when it is interrupted, and goes on from there", async () => {
    await using folder = await temporaryFolder();
    let isStuck = true;
    const stuck = Promise.withResolvers<void>();
    await using lm = await serverThat((request, response) => {
      if (!isStuck || !textOf(request).includes("Town 2?")) return echo(request, response);
      stuck.resolve();
      return stall(request, response);
    });
    const out = join(folder.path, "result.jsonl");
    await writeFile(join(folder.path, "questions.jsonl"), rows(["Town 1?", "Town 2?", "Town 3?"]));
    const running = startCli(args(folder.path, lm, ["--concurrency", "2"]));
    await stuck.promise;
    const size = async (): Promise<number> => (await linesOf(out).catch(() => [])).length;
    await expect.poll(size).toBe(2);
    running.interrupt();
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toContain("2 answered");
    expect(stdout).toContain("1 not processed");
    isStuck = false;
    expect((await runMain(args(folder.path, lm))).code).toBe(0);
    expect((await linesOf(out)).map((line) => line["query_id"])).toEqual(["q1", "q2", "q3"]);
  });

  it("refuses a result that another batch is writing", async () => {
    await using folder = await temporaryFolder();
    const asked = Promise.withResolvers<void>();
    let isStuck = true;
    await using lm = await serverThat((request, response) => {
      asked.resolve();
      return isStuck ? stall(request, response) : echo(request, response);
    });
    await writeFile(join(folder.path, "questions.jsonl"), rows(["Town 1?"]));
    const first = startCli(args(folder.path, lm));
    await asked.promise;
    const before = chatsOf(lm);
    const second = await runMain(args(folder.path, lm));
    expect(second.code).toBe(2);
    expect(second.stderr).toContain("run-locked: Another process is writing to the result file");
    expect(chatsOf(lm)).toBe(before);
    first.interrupt();
    expect((await first.ended).code).toBe(130);
    isStuck = false;
    expect((await runMain(args(folder.path, lm))).code).toBe(0);
  });

  it("writes no line for a question that a server's fault kept from being answered", async () => {
    await using folder = await temporaryFolder();
    await using lm = await serverThat(json({}, 503));
    await writeFile(
      join(folder.path, "questions.jsonl"),
      rows(["A 1?", "A 2?", "A 3?", "A 4?", "A 5?"]),
    );
    const { code, stdout } = await runMain(args(folder.path, lm, ["--concurrency", "1"]));
    expect(code).toBe(3);
    expect(stdout).toContain("5 not processed");
    expect(stdout).toContain("stopped early: lm-unavailable");
    expect(chatsOf(lm)).toBe(3);
    expect(await readFile(join(folder.path, "result.jsonl"), "utf8")).toBe("");
  });

  it("says which models there are", async () => {
    await using folder = await temporaryFolder();
    const words = args(folder.path, "rehearsal").with(2, "--model=towns/nobody");
    const { code, stderr } = await runMain(words);
    expect(code).toBe(2);
    expect(stderr).toContain("towns/nobody");
    expect(stderr).toContain("towns/answerer");
  });

  it("takes inputs of the program without a protocol, and writes its outputs", async () => {
    await using folder = await temporaryFolder();
    await using lm = await serverThat(echo);
    const input = join(folder.path, "questions.jsonl");
    const rowsOf = (questions: readonly string[]): string =>
      questions
        .map((question, index) => `${JSON.stringify({ id: index + 1, input: { question } })}\n`)
        .join("");
    const words = args(folder.path, lm).filter((word) => !word.startsWith("--protocol"));
    await writeFile(input, rowsOf(["Town 1?", "Break 2?"]));
    expect((await runMain(words)).code).toBe(0);
    const lines = [
      { id: 1, output: expect.objectContaining({ answer: "echo Town 1?" }) },
      { id: 2, error: "The program's own code threw an error." },
    ];
    expect(await linesOf(join(folder.path, "result.jsonl"))).toEqual(lines);

    await writeFile(input, rowsOf(["Town 1?", "Break 2?", "Town 3?"]));
    const asked = chatsOf(lm);
    expect((await runMain(words)).stdout).toContain("1 answered, 2 kept");
    expect(chatsOf(lm) - asked).toBe(1);
    expect((await linesOf(join(folder.path, "result.jsonl"))).map(({ id }) => id)).toEqual([
      1, 2, 3,
    ]);

    const other = await runMain(args(folder.path, lm));
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("file-malformed");
  });
});
