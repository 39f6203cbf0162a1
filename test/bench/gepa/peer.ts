import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CoupledTask } from "../../support/yardstick/coupled-task.ts";

/** gepa 0.1.4 of the Python package index, in a virtual environment of its own. */
export interface Peer {
  /** Answers job by job; see `peer.py`. */
  run<TAnswer>(tasks: readonly CoupledTask[], jobs: readonly object[]): Promise<readonly TAnswer[]>;
}

const version = "0.1.4";
const home = fileURLToPath(new URL("../../../.espalier/bench/", import.meta.url));
const driver = fileURLToPath(new URL("peer.py", import.meta.url));

/** Makes the environment where there is none; the reason in a sentence where it cannot be had. */
export async function peer(): Promise<Peer | string> {
  const folder = join(home, `gepa-${version}`);
  const python = join(folder, "bin", "python");
  try {
    if (!existsSync(python)) {
      await mkdir(home, { recursive: true });
      await output("python3", ["-m", "venv", folder]);
      await output(python, ["-m", "pip", "install", "--quiet", `gepa==${version}`]);
    }
    await output(python, ["-c", "import gepa"]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const [line = ""] = String(error instanceof Error ? error.message : error).split("\n");
    return `gepa ${version} could not be installed with python3 and pip: ${line}`;
  }
  return {
    run: async <TAnswer>(tasks: readonly CoupledTask[], jobs: readonly object[]) => {
      const said = await output(python, [driver], JSON.stringify({ tasks, jobs }));
      return said
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as TAnswer);
    },
  };
}

/** What a process prints; rejects with the end of its errors when it fails. */
async function output(command: string, args: readonly string[], input = ""): Promise<string> {
  // Its hashes are seeded, so that sets are walked alike in every run.
  const child = spawn(command, args, { env: { ...process.env, PYTHONHASHSEED: "0" } });
  let said = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(errors.trim().split("\n").at(-1) ?? `exit ${code}`);
  return said;
}
