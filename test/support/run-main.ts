import { setImmediate } from "node:timers/promises";
import { vi } from "vitest";
import { main } from "../../src/cli/index.ts";
import type { CliResult } from "./run-cli.ts";

interface MainOptions {
  /** The working folder; paths in the arguments are relative to it. */
  readonly cwd?: string;
  /** Beside this process's own variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A process has one console, one working folder and one environment: one runs at a time. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line in this process, in a small part of the time of `runCli`: for what is told
 * by what is printed and the exit code that is set. `bad-input.test.ts` shows that a process ends
 * with the same. A module keeps the state it has, and is not read again when its file changes.
 */
export function runMain(args: readonly string[], options: MainOptions = {}): Promise<MainResult> {
  const ended = last.then(() => runNow(args, options));
  last = ended.catch(() => undefined);
  return ended;
}

async function runNow(
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: MainOptions,
): Promise<MainResult> {
  const printed: (readonly [method: string, text: string])[] = [];
  const spies = [
    ...(["log", "error"] as const).map((method) =>
      vi
        .spyOn(console, method)
        .mockImplementation((text: unknown) => void printed.push([method, `${String(text)}\n`])),
    ),
    // Progress.
    vi
      .spyOn(process.stderr, "write")
      .mockImplementation((text) => printed.push(["error", String(text)]) > 0),
  ];
  const textOf = (method: string): string =>
    printed.flatMap(([by, text]) => (by === method ? [text] : [])).join("");
  const { exitCode } = process;
  const folder = process.cwd();
  const outer = { ...process.env };
  Object.assign(process.env, env);
  process.exitCode = undefined;
  process.chdir(cwd);
  try {
    await main([...args]);
    // Progress is written at the end of a turn.
    await setImmediate();
    return {
      code: codeOfProcess(),
      stdout: textOf("log"),
      stderr: textOf("error"),
      lines: printed
        .map(([, text]) => text)
        .join("")
        .trimEnd()
        .split("\n"),
    };
  } finally {
    for (const name of Object.keys(env)) restoreVariable(name, outer[name]);
    process.chdir(folder);
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
  }
}

export interface MainResult extends CliResult {
  /** Of both streams, in the order of a terminal. */
  readonly lines: readonly string[];
}

function restoreVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

function codeOfProcess(): number {
  return Number(process.exitCode ?? 0);
}
