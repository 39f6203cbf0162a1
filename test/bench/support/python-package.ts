import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("../../../.espalier/bench/", import.meta.url));

/** A package from the Python package index, in its own virtual environment. */
export interface PythonPackage {
  /** The environment's Python. */
  readonly python: string;
  /**
   * Returns the output of a program that uses it; rejects with the end of its errors if it fails.
   */
  run(program: string, input: string): Promise<string>;
}

/**
 * Creates the environment if needed; returns the reason in a sentence if that fails. `others` are
 * installed beside it, as `name==version`.
 */
export async function pythonPackage(
  name: string,
  version: string,
  others: readonly string[] = [],
): Promise<PythonPackage | string> {
  const folder = join(home, [`${name}-${version}`, ...others].join("+"));
  const python = join(folder, "bin", "python");
  try {
    if (!existsSync(python)) {
      await mkdir(home, { recursive: true });
      await output("python3", ["-m", "venv", folder]);
      await output(python, ["-m", "pip", "install", "--quiet", `${name}==${version}`, ...others]);
    }
    await output(python, ["-c", `import ${name}`]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const [line = ""] = String(error instanceof Error ? error.message : error).split("\n");
    return `${name} ${version} could not be installed with python3 and pip: ${line}`;
  }
  return { python, run: (program, input) => output(python, [program], input) };
}

async function output(command: string, args: readonly string[], input = ""): Promise<string> {
  // Seeds Python's hashes, so that sets iterate in the same order in every run.
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
