import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { randomSource } from "../../../src/internal/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const script = resolve("test/optimizer/agents/support/echo-run.ts");
const linesOf = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];

/**
 * Runs one process; kills it and its MCP server `delayMs` after `killAfter` calls reached the
 * server.
 */
async function run(
  args: readonly string[],
  {
    log,
    killAfter = Infinity,
    delayMs = 0,
  }: { readonly log: string; readonly killAfter?: number; readonly delayMs?: number },
): Promise<string | null> {
  const child = spawn(process.execPath, ["--conditions=espalier:source", script, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let out = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, "exit");
  let killing: NodeJS.Timeout | undefined;
  const watch = setInterval(() => {
    if (killing !== undefined || linesOf(log).length < killAfter) return;
    killing = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 9), delayMs);
  }, 2);
  const [code] = (await ended) as [number | null];
  clearInterval(watch);
  clearTimeout(killing);
  if (code !== null && code !== 0) throw new Error(errors);
  return code === null ? null : out;
}

/** Inputs whose result is on file: the server's echo tells which. */
const recordedIn = (folder: string): Set<string> =>
  new Set(
    linesOf(join(folder, "journal.jsonl")).flatMap((line) => {
      const { kind, reply } = JSON.parse(line) as { kind: string; reply?: { content: string } };
      const [, echoed] = /^\{"ok":true,"value":"Echo: (.*)"\}$/s.exec(reply?.content ?? "") ?? [];
      return kind === "reply" && echoed !== undefined ? [JSON.parse(`"${echoed}"`) as string] : [];
    }),
  );

const messageIn = (line: string): string => (JSON.parse(line) as { message: string }).message;

describe("an agent with a real MCP server, optimized", () => {
  it("comes out the same after kills, and repeats no call whose result is on file", async () => {
    await using folder = await temporaryFolder();
    const [whole, killed] = [join(folder.path, "whole"), join(folder.path, "killed")];
    const [wholeLog, log] = [join(folder.path, "whole.log"), join(folder.path, "killed.log")];
    const expected = await run([whole, wholeLog], { log: wholeLog });
    const calls = linesOf(wholeLog);
    expect(new Set(calls).size).toBe(calls.length);
    expect(calls.length).toBeGreaterThan(20);

    let outcome: string | null = null;
    const random = randomSource(21, "kills");
    const kills = 4;
    for (let process = 0; outcome === null; process++) {
      const before = linesOf(log).length;
      const recorded = recordedIn(killed);
      outcome = await run([killed, log, process === 0 ? "" : "resume"], {
        log,
        ...(process < kills && {
          killAfter: before + 1 + random.below(6),
          delayMs: random.below(40),
        }),
      });
      // In flight: the call reached its server, and no result of it was on file at the kill.
      const again = linesOf(log).slice(before).map(messageIn);
      expect(again.filter((message) => recorded.has(message))).toEqual([]);
      expect(new Set(again).size).toBe(again.length);
    }
    const resultOf = (text: string | null) => {
      const { components, value } = JSON.parse(text ?? "") as Record<string, unknown>;
      return { components, value };
    };
    expect(resultOf(outcome)).toEqual(resultOf(expected));
  });

  it.each([22, 23, 24])(
    "never makes more calls than the budget's cap, those in flight at kills included: seed %i",
    async (seed) => {
      await using folder = await temporaryFolder();
      const [log, path] = [join(folder.path, "log"), join(folder.path, "run")];
      const random = randomSource(seed, "kills");
      let out: string | null = null;
      let inFlight = 0;
      for (let process = 0; out === null; process++) {
        out = await run([path, log, process === 0 ? "" : "resume", "30"], {
          log,
          ...(process < 4 && {
            killAfter: linesOf(log).length + 1 + random.below(4),
            delayMs: random.below(8),
          }),
        });
        const made = linesOf(log).map(messageIn);
        expect(made.length).toBeLessThanOrEqual(30);
        const recorded = recordedIn(path);
        inFlight += [...new Set(made)].filter((message) => !recorded.has(message)).length;
      }
      expect(inFlight).toBeGreaterThan(0);
      const { tool } = JSON.parse(out) as { tool: { billed: { calls: number } } };
      // A call that was on file as sent, and killed before it reached the server, counts too.
      expect(tool.billed.calls).toBeGreaterThanOrEqual(linesOf(log).length);
      expect(tool.billed.calls).toBeLessThanOrEqual(30);
    },
  );

  it("never makes more calls than the budget's cap", async () => {
    await using folder = await temporaryFolder();
    const log = join(folder.path, "log");
    const out = await run([join(folder.path, "run"), log, "", "40"], { log });
    const { tool } = JSON.parse(out ?? "") as { tool: { logical: { calls: number } } };
    expect(tool.logical.calls).toBeLessThanOrEqual(40);
    expect(tool.logical.calls).toBeGreaterThan(12);
    expect(linesOf(log).length).toBeLessThanOrEqual(40);
  });
});
