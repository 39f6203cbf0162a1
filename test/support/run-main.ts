import { vi } from "vitest";
import { main } from "../../src/cli/index.ts";
import type { CliResult } from "./run-cli.ts";

/**
 * Runs the command line in this process, in a small part of the time of `runCli`: for tables of
 * refusals, which are told by what is printed and the exit code that is set. `bad-input.test.ts`
 * shows that a process ends with the same.
 */
export async function runMain(args: readonly string[]): Promise<CliResult> {
  const [stdout, stderr] = (["log", "error"] as const).map((method) => {
    const printed: string[] = [];
    const spy = vi
      .spyOn(console, method)
      .mockImplementation((line: unknown) => void printed.push(`${String(line)}\n`));
    return { text: () => printed.join(""), [Symbol.dispose]: () => spy.mockRestore() };
  });
  const { exitCode } = process;
  process.exitCode = undefined;
  try {
    await main([...args]);
    return {
      code: codeOfProcess(),
      stdout: stdout?.text() ?? "",
      stderr: stderr?.text() ?? "",
    };
  } finally {
    process.exitCode = exitCode;
    stdout?.[Symbol.dispose]();
    stderr?.[Symbol.dispose]();
  }
}

function codeOfProcess(): number {
  return Number(process.exitCode ?? 0);
}
