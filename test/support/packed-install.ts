import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const repository = resolve(import.meta.dirname, "../..");

export interface PackedInstall extends Disposable {
  /** The user's project: the packed espalier and its dependencies are in its `node_modules`. */
  readonly folder: string;
  /** Runs Node.js in that folder, without any of the flags that this repository uses. */
  node(...args: readonly string[]): CommandResult;
  /** Packs `@espalier/NAME` and installs it. */
  add(name: WorkspaceName): void;
}

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Builds the tree as it stands, packs it, and installs the archive into a fresh folder elsewhere,
 * as a user does: with the install scripts of all packages.
 */
export function packedInstall(): PackedInstall {
  const folder = mkdtempSync(join(tmpdir(), "espalier-user-"));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "user", private: true, type: "module" }),
  );
  try {
    install(folder, archive("espalier"));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    folder,
    node: (...args) => command(process.execPath, args, folder),
    add: (name) => install(folder, archive(name)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Both packages as files, which last as long as this process. */
export interface Packed {
  readonly espalier: string;
  readonly rehearsal: string;
}

/** The tree as it stood when this process first packed it. */
export function packed(): Packed {
  return { espalier: archive("espalier"), rehearsal: archive("rehearsal") };
}

/** Test files of one process share what they pack: building takes longer than most of them. */
const archives = new Map<string, string>();

type WorkspaceName =
  | "rehearsal"
  | "workers"
  | "postgres"
  | "lance"
  | "search-engines"
  | "judge"
  | "mcp"
  | "tracking"
  | "ai-sdk"
  | "local";

/** The file that npm packs of it. */
export function archive(name: "espalier" | WorkspaceName): string {
  const made = archives.get(name);
  if (made !== undefined) return made;
  const staging = mkdtempSync(join(tmpdir(), "espalier-pack-"));
  process.once("exit", () => rmSync(staging, { recursive: true, force: true }));
  const file = name === "espalier" ? packIn(staging) : packWorkspaceIn(name, staging);
  archives.set(name, file);
  return file;
}

/** Runs a program in a folder and returns what it prints; throws unless it succeeds. */
export function runIn(folder: string, program: string, args: readonly string[]): string {
  return succeed(command(program, args, folder)).stdout;
}

function packIn(staging: string): string {
  const { files }: { readonly files: readonly string[] } = JSON.parse(
    readFileSync(join(repository, "package.json"), "utf8"),
  );
  const besideDist = files.filter((path) => path !== "dist" && !path.startsWith("!"));
  for (const path of ["package.json", "README.md", "LICENSE", ...besideDist]) {
    cpSync(join(repository, path), join(staging, path), { recursive: true });
  }
  build("dist", ["scripts/build.ts"], staging);
  return pack(staging);
}

function packWorkspaceIn(name: WorkspaceName, staging: string): string {
  const folder = join("packages", name);
  for (const path of ["package.json", "README.md"]) {
    cpSync(join(repository, folder, path), join(staging, path));
  }
  build(join(folder, "dist"), ["scripts/build-package.ts", name], staging);
  return pack(staging);
}

/** Where `ESPALIER_IS_BUILT` says that the checkout holds what its sources come to, copies that. */
function build(made: string, script: readonly string[], staging: string): void {
  const dist = join(staging, "dist");
  if (process.env["ESPALIER_IS_BUILT"] === "1") {
    cpSync(join(repository, made), dist, { recursive: true });
  } else {
    succeed(command(process.execPath, [...script, dist], repository));
  }
}

function pack(staging: string): string {
  const packed = succeed(command("npm", ["pack", "--ignore-scripts", "--json"], staging));
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  return join(staging, filename);
}

function install(folder: string, file: string, ...more: readonly string[]): void {
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", ...more];
  succeed(command("npm", ["install", ...flags, file], folder));
}

function command(program: string, args: readonly string[], cwd: string): CommandResult {
  // Under `CI` an install script may hold back what it does to a user.
  const { NODE_OPTIONS: _, CI: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

function succeed(result: CommandResult): CommandResult {
  const { status, stdout, stderr } = result;
  if (status !== 0) throw new Error(`Exit ${status}.\n${stdout}\n${stderr}`);
  return result;
}
