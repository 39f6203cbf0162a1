import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject, LmMessage } from "espalier";

interface DspyField {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly options?: readonly string[];
}

export interface DspyJob {
  readonly signatures: readonly {
    readonly name: string;
    readonly instruction: string;
    readonly inputs: readonly DspyField[];
    readonly outputs: readonly DspyField[];
    readonly demos: readonly JsonObject[];
  }[];
  readonly calls: readonly { readonly predictor: string; readonly inputs: JsonObject }[];
}

const version = "3.4.1";
const home = fileURLToPath(new URL("../../../.espalier/bench/", import.meta.url));
const driver = fileURLToPath(new URL("dspy-prompts.py", import.meta.url));

/** Prompts by DSPy's own chat adapter, in a virtual environment; the reason in a sentence where it cannot be had. */
export async function dspyPrompts(
  job: DspyJob,
): Promise<readonly (readonly LmMessage[])[] | string> {
  const folder = join(home, `dspy-${version}`);
  const python = join(folder, "bin", "python");
  try {
    if (!existsSync(python)) {
      await mkdir(home, { recursive: true });
      await output("python3", ["-m", "venv", folder]);
      await output(python, ["-m", "pip", "install", "--quiet", `dspy==${version}`]);
    }
    await output(python, ["-c", "import dspy"]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const [line = ""] = String(error instanceof Error ? error.message : error).split("\n");
    return `dspy ${version} could not be installed with python3 and pip: ${line}`;
  }
  return JSON.parse(
    await output(python, [driver], JSON.stringify(job)),
  ) as (readonly LmMessage[])[];
}

/** What a process prints; rejects with the end of its errors when it fails. */
async function output(command: string, args: readonly string[], input = ""): Promise<string> {
  const child = spawn(command, args);
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
