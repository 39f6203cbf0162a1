import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serveRehearsal } from "@espalier/rehearsal";
import { runCli } from "../support/run-cli.ts";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const towns = "test/cli/fixtures/towns.ts";

describe("bad input ends with exit code 2 and a sentence that says what to do:", () => {
  it.each<[string, readonly string[]]>([
    ["no such command", ["evaluate", towns]],
    ["a command of every object", ["constructor", "--help"]],
    ["a nested command of every object", ["corpus", "constructor"]],
    ["an option before the command", ["-q", "eval", towns]],
    ["no study", ["eval"]],
    ["an unknown short option", ["eval", towns, "-q"]],
    ["a word too many", ["eval", towns, "other.ts"]],
    ["an option without a value", ["eval", towns, "--out"]],
    ["an option with an option for a value", ["eval", towns, "--out", "--json"]],
    ["an option with an empty value", ["eval", towns, "--candidate="]],
    ["an option that is no switch turned off", ["eval", towns, "--no-out"]],
    ["a study that does not exist", ["eval", "nowhere.ts"]],
    ["a folder as study", ["eval", "test"]],
    ["a file without a study", ["eval", "test/cli/fixtures/no-study.ts"]],
    ["a study that throws", ["eval", "test/cli/fixtures/throws.ts"]],
    ["a study with malformed JSONL", ["eval", "test/cli/fixtures/malformed-rows.ts"]],
    ["a misspelt option", ["eval", towns, "--concurency", "4"]],
    ["an option of the wrong type", ["eval", towns, "--concurrency", "many"]],
    ["a negative seed", ["eval", towns, "--seed=-1"]],
    ["an unknown split", ["eval", towns, "--split", "validation"]],
    ["an empty split", ["eval", towns, "--split", "test"]],
    ["something that is no URL", ["eval", towns, "--lm", "localhost"]],
    ["a missing candidate file", ["eval", towns, "--candidate", "nowhere.json"]],
    ["a missing baseline", ["eval", towns, "--baseline", "nowhere.json"]],
    ["a baseline that is something else", ["eval", towns, "--baseline", "package.json"]],
    ["input that is not JSON", ["run", towns, "--input", "{question: 1}"]],
    ["input that does not fit", ["run", towns, "--input", '{"question":3,"passages":[]}']],
    [
      "input with an unknown field",
      ["run", towns, "--input", '{"question":"q","passages":[],"gold":"g"}'],
    ],
    ["no input", ["run", towns]],
    ["rows to split that do not exist", ["split", "nowhere.csv"]],
    ["shares that are no three numbers", ["split", "nowhere.csv", "--shares", "80,20"]],
    ["an unknown predictor", ["show", towns, "--predictor", "nobody", "--input", "{}"]],
  ])("%s", async (_, args) => {
    const { code, stdout, stderr } = await runMain(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(withoutPaths(stderr)).toMatchSnapshot();
  });

  it.each([
    ["an unknown parameter", [{ kind: "parameter", path: "hops", value: 3 }]],
    ["an unknown predictor", [{ kind: "instruction", path: "nobody", value: "x" }]],
    ["an unknown kind", [{ kind: "prompt", path: "answer", value: "x" }]],
    ["an object", { instruction: "x" }],
    ["an artifact", { format: "espalier-artifact/1", compiled: { components: [] } }],
  ])("a candidate with %s", async (_, candidate) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "candidate.json");
    await writeFile(path, JSON.stringify(candidate));
    const { code, stderr } = await runMain(["eval", towns, "--candidate", path]);
    expect(code).toBe(2);
    expect(withoutPaths(stderr.replaceAll(path, "candidate.json"))).toMatchSnapshot();
  });
});

it("a candidate file with a misspelt name is answered with the nearest one", async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, "artifact.json"), "{}");
  const path = join(folder.path, "artefact.json");
  const { code, stderr } = await runMain(["eval", towns, "--candidate", path]);
  expect(code).toBe(2);
  expect(stderr).toContain(`Did you mean "${join(folder.path, "artifact.json")}"?`);
});

describe("a process", () => {
  it("ends with the exit code, and has printed what its command line alone prints", async () => {
    await using folder = await temporaryFolder();
    const throwing = join(folder.path, "throws.ts");
    await writeFile(throwing, 'throw new RangeError("nothing here");\n');
    const lines = [
      ["eval", towns, "-q"],
      ["eval", throwing],
      ["run", towns, "--input", "{question: 1}"],
      ["eval", towns, "--split", "tests"],
    ];
    // As on a terminal, where the parser would colour its messages.
    const env = { NO_COLOR: "", CI: "", TEST: "", TERM: "xterm" };
    const ended = await Promise.all(lines.map((line) => runCli(line, { env })));
    for (const [index, line] of lines.entries()) {
      expect(await runMain(line)).toMatchObject(ended[index] ?? {});
    }
  });
});

describe("examples without relevance judgements", () => {
  it("are shown as such, and no figure is claimed", async () => {
    const { code, stdout } = await runMain([
      "eval",
      "test/cli/fixtures/unjudged.ts",
      "--limit",
      "2",
    ]);
    expect(code).not.toBe(0);
    expect(stdout).toContain("recall_10  nothing was scored");
    expect(stdout).toContain("scored 0, including 0 format failures; not applicable 2; unscored 0");
    expect(stdout).toContain(
      "the metric applies to none of the examples, so no claim can be made. Check that the examples have the labels it needs, such as relevance judgements.",
    );
    expect(stdout).not.toContain("coverage");
  });
});

describe("a server that cannot be used", () => {
  it("that is not there: exit code 3, before anything is run", async () => {
    const { code, stderr } = await runMain(["eval", towns, "--lm", "http://127.0.0.1:9/v1"]);
    expect(code).toBe(3);
    expect(stderr).toMatchInlineSnapshot(`
      "espalier: lm-unreachable: The server could not be reached, or closed the connection (at http://127.0.0.1:9/v1). Got: connect ECONNREFUSED 127.0.0.1:9. Start the server, or correct the base URL.
      "
    `);
  });

  it("at another path: says so", async () => {
    await using server = await serveRehearsal();
    const { code, stderr } = await runMain(["eval", towns, "--lm", server.url]);
    expect(code).toBe(2);
    expect(stderr.replaceAll(server.url, "URL")).toMatchInlineSnapshot(`
      "espalier: lm-not-found: The server answered with status 404 (at URL). Got: Not Found. Is the base URL missing \`/v1\`?
      "
    `);
  });

  it("without the model: names those it has", async () => {
    await using server = await serveRehearsal();
    const { code, stderr } = await runMain([
      "eval",
      towns,
      "--lm",
      `${server.url}/v1`,
      "--model",
      "qwen",
    ]);
    expect(code).toBe(2);
    expect(stderr.replaceAll(server.url, "URL")).toMatchInlineSnapshot(`
      "espalier: lm-not-found: The server does not offer the model \`qwen\` (at URL/v1). It offers \`rehearsal\`.
      "
    `);
  });

  it("that fails all the time: exit code 3, nothing is scored, and coverage says so", async () => {
    await using server = await serveRehearsal({ faults: { serverError: 1 } });
    const { code, stderr, stdout } = await runMain([
      "eval",
      towns,
      "--lm",
      `${server.url}/v1`,
      "--limit",
      "1",
      "--cache",
      "none",
      "--patience",
      "0",
    ]);
    expect(code).toBe(3);
    expect(`${stdout}${stderr}`).toContain("nothing was scored");
    expect(stdout).toContain(
      "coverage 0.0 % (the share of examples with a score), below the floor",
    );
  });
});

function withoutPaths(text: string): string {
  return text.replaceAll(process.cwd(), "(repository)").replaceAll(/file:\/\/\S+/g, "(file)");
}
