import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";

/** Runs a command to its end, with its output in a file, and with the account's own settings. */
export async function runLogged(
  command: string,
  args: readonly string[],
  { log, cwd }: { readonly log: string; readonly cwd?: string },
): Promise<void> {
  const output = openSync(log, "a");
  try {
    const env = { ...process.env, HOME: userInfo().homedir };
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", output, output] });
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) {
      throw new Error(`${command} ended with ${code}. The end of ${log}:\n${endOf(log)}`);
    }
  } finally {
    closeSync(output);
  }
}

/** The last lines of a log, for an error message. */
export function endOf(log: string): string {
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-40).join("\n");
}
