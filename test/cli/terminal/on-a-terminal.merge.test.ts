import { spawn, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { serveRehearsal } from "@espalier/rehearsal";
import { describe, expect, it } from "vitest";
import { gateClock } from "../../support/gate-clock.ts";
import { espalier, runCli, startCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const places = "test/cli/fixtures/places.ts";
const bin = resolve("src/cli/bin.ts");
/** util-linux's `script` gives a command a pseudo-terminal. */
const hasScript = spawnSync("script", ["--version"]).status === 0;
if (!hasScript) console.warn("skipped: no `script` to run commands on a terminal with");

/** What a terminal of 70 columns is sent, both streams together. */
async function onTerminal(args: string, env: Record<string, string> = {}): Promise<string> {
  await using folder = await temporaryFolder();
  const log = join(folder.path, "log");
  const command = `stty cols 70 && '${process.execPath}' --conditions=espalier:source '${bin}' ${args}`;
  const { NO_COLOR: _unset, ...inherited } = process.env;
  const child = spawn("script", ["-qec", command, log], {
    env: { ...inherited, TERM: "xterm", ...env },
    stdio: ["pipe", "ignore", "inherit"],
  });
  const code = await new Promise((done) => child.once("close", done));
  expect(code).toBe(0);
  const text = await readFile(log, "utf8");
  return text.slice(text.indexOf("\n") + 1, text.lastIndexOf("\nScript done"));
}

const escape = "\u001b[";

describe.runIf(hasScript)("on a terminal", () => {
  it("progress has best, cost and time left, stays in one line, and ends before the result", async () => {
    await using folder = await temporaryFolder();
    const run = join(folder.path, "run");
    const text = await onTerminal(`optimize ${places} --budget 60 --cache none --run ${run}`);
    const shown = text.split(/[\r\n]/).map((line) => line.replaceAll(`${escape}K`, ""));
    const progress = shown.filter((line) => line.startsWith("metric calls: "));
    expect(progress.length).toBeGreaterThan(2);
    expect(progress.every(({ length }) => length < 70)).toBe(true);
    expect(progress.join("\n")).toMatch(/best found-place 0\.\d{4}, [\d,]+ tokens, .* left/);
    const isProgress = (line: string) => /^metric calls: |^before and after on test: /.test(line);
    const result = shown.findIndex((line) => line.startsWith("places on places: "));
    expect(result).toBeGreaterThan(shown.findLastIndex(isProgress));
    // Whatever is printed has lines of its own: none begins or ends with progress.
    const lines = text.split("\n").map((line) => line.split("\r").findLast(Boolean) ?? "");
    for (const line of lines) expect(line).not.toMatch(/.metric calls: |left.*candidate/);
  });

  it("help is bold and fits, unless NO_COLOR is set", async () => {
    const bold = await onTerminal("optimize --help");
    expect(bold).toContain(`${escape}1mOPTIONS`);
    const lines = stripVTControlCharacters(bold).split(/\r?\n/);
    const tooLong = lines.filter((line) => line.length > 70 && !/^ {2}espalier /.test(line));
    expect(tooLong).toEqual([]);
    expect(await onTerminal("optimize --help", { NO_COLOR: "1" })).not.toContain(escape);
  });
});

it("no output is coloured without a terminal", async () => {
  for (const args of [["--help"], ["optimize", "--help"], ["artifact"], ["evall"]]) {
    const { stdout, stderr } = await runCli(args, { env: { FORCE_COLOR: "1", NO_COLOR: "" } });
    expect(stdout + stderr).not.toContain(escape);
  }
});

describe("Ctrl-C", () => {
  it("says one thing, ends with 130, and leaves a run to resume", async () => {
    const clock = gateClock(60);
    await using server = await serveRehearsal({ latencyMs: 1, clock });
    await using folder = await temporaryFolder();
    const run = join(folder.path, "run");
    const lm = ["--lm", `${server.url}/v1`, "--cache", "none"];
    const running = startCli(["optimize", places, "--budget", "60", "--run", run, ...lm]);
    await running.saw("before: ");
    running.interrupt();
    const { code, stderr } = await running.ended;
    clock.release();
    expect(code).toBe(130);
    const said = stderr.slice(stderr.indexOf("Interrupted"));
    const begin = `Interrupted: ending the calls in flight; press Ctrl-C again to stop at once. To resume: ${espalier} optimize `;
    expect(said.slice(0, begin.length)).toBe(begin);
    expect(said.slice(begin.length)).toMatch(/^[^\n]* --resume \S+\n$/);
    const resumed = await runCli(["optimize", places, "--resume", run]);
    expect(resumed).toMatchObject({ code: 0 });
  });

  it("ends at once the second time, whatever has not ended by then", async () => {
    const running = startCli(["eval", "test/cli/fixtures/never-ends.ts", "--rehearsal"]);
    await running.saw("the program runs");
    running.interrupt();
    await running.saw("Interrupted");
    let isOver = false;
    void running.ended.then(() => (isOver = true));
    while (!isOver) {
      // A signal that comes too soon is taken for the same key.
      await setTimeout(300);
      running.interrupt();
    }
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr.match(/Interrupted/g)).toHaveLength(1);
  });
});
