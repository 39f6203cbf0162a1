import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../../src/errors/index.ts";
import { runLogged } from "./run-logged.ts";
import { lockOf, say, UnavailableError } from "./test-cache.ts";

/** Newer ones than the first are tried last: not every wheel is built for them. */
const interpreters = ["python3.11", "python3.12", "python3.13"];

/**
 * A Python environment with exactly the packages of a file, made once for each version of that
 * file. Its marker is written last, so that half an installation is made again.
 *
 * @returns its interpreter
 * @throws UnavailableError without a Python that fits, or without the packages
 */
export async function pythonEnvironment(
  cache: string,
  {
    requirementsFile,
    what,
  }: {
    readonly requirementsFile: string;
    /** What is installed, and what it takes: part of a sentence. */
    readonly what: { readonly name: string; readonly cost: string };
  },
): Promise<string> {
  const { command, version } = foundPython();
  const requirements = readFileSync(requirementsFile, "utf8");
  const hash = createHash("sha256").update(`${version}\n${requirements}`).digest("hex");
  const folder = join(cache, `python-${hash.slice(0, 12)}`);
  const python = join(folder, "bin/python");
  const marker = join(folder, "complete.json");
  // A link to an interpreter that is gone does not exist.
  const isMade = (): boolean => existsSync(marker) && existsSync(python);
  if (isMade()) return python;

  mkdirSync(cache, { recursive: true });
  using _lock = await lockOf(folder);
  if (isMade()) return python;
  const startMs = performance.now();
  say(
    `Installing ${what.name} in ${folder}, once, from the package index that pip is set to: ` +
      `${what.cost}. ESPALIER_TEST_CACHE names another folder. pip writes to ${folder}.log.`,
  );
  try {
    await install({ command, folder, python, requirementsFile, log: `${folder}.log` });
  } catch (error) {
    throw new UnavailableError(messageOf(error), { cause: error });
  }
  const seconds = Math.round((performance.now() - startMs) / 1000);
  writeFileSync(marker, `${JSON.stringify({ version, seconds })}\n`);
  say(`Installed in ${seconds} s.`);
  return python;
}

async function install({
  command,
  folder,
  python,
  requirementsFile,
  log,
}: {
  readonly command: string;
  readonly folder: string;
  readonly python: string;
  readonly requirementsFile: string;
  readonly log: string;
}): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  rmSync(log, { force: true });
  await runLogged(command, ["-m", "venv", folder], { log });
  const flags = ["--no-deps", "--only-binary", ":all:", "--progress-bar", "off", "--no-input"];
  await runLogged(python, ["-m", "pip", "install", ...flags, "-r", requirementsFile], { log });
}

/** The first interpreter that can make an environment: Debian's, for one, cannot by itself. */
function foundPython(): { readonly command: string; readonly version: string } {
  const named = process.env["ESPALIER_TEST_PYTHON"];
  const candidates = named === undefined ? interpreters : [named];
  const probe = "import ensurepip, platform, venv; print(platform.python_version())";
  for (const command of candidates) {
    const { status, stdout } = spawnSync(command, ["-c", probe], { encoding: "utf8" });
    if (status === 0) return { command, version: stdout.trim() };
  }
  throw new UnavailableError(
    `No Python that can make a virtual environment: tried ${candidates.join(", ")}. ` +
      "Install one with its venv module, or name one in ESPALIER_TEST_PYTHON.",
  );
}
