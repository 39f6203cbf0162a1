import { vi } from "vitest";
import { main } from "../../src/cli/index.ts";
import type { CliResult } from "./run-cli.ts";

/**
 * Runs the command line in this process, in a small part of the time of `runCli`: for tables of
 * refusals, which are told by what is printed and the exit code that is set. `bad-input.test.ts`
 * shows that a process ends with the same.
 *
 * @param options.cwd the working folder; paths in `args` are relative to it
 */
export async function runMain(
  args: readonly string[],
  { cwd = process.cwd() }: { readonly cwd?: string } = {},
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
  process.exitCode = undefined;
  process.chdir(cwd);
  try {
    await main([...args]);
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
    process.chdir(folder);
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
  }
}

export interface MainResult extends CliResult {
  /** Of both streams, in the order of a terminal. */
  readonly lines: readonly string[];
}

function codeOfProcess(): number {
  return Number(process.exitCode ?? 0);
}
