import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pageFace } from "espalier/serve";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PackedInstall } from "../support/packed-install.ts";
import { packedInstall } from "../support/packed-install.ts";

const repository = resolve(import.meta.dirname, "../..");
const manifest: {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
} = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
const doors = Object.keys(manifest.exports)
  .filter((door) => !door.endsWith(".json") && !door.includes("*"))
  .map((door) => door.replace(".", "espalier"));

let user: PackedInstall;

beforeAll(() => {
  user = packedInstall();
});

afterAll(() => user[Symbol.dispose]());

test.each(doors)("a user's TypeScript file imports %s under plain Node.js", async (door) => {
  const { status, stdout, stderr } = runFile(`
    import * as door from "${door}";
    const names: readonly string[] = Object.keys(door);
    console.log(JSON.stringify(names));
  `);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const fromSource = Object.keys((await import(door)) as object);
  expect(fromSource).not.toEqual([]);
  expect(new Set(JSON.parse(stdout) as string[])).toEqual(new Set(fromSource));
});

test("the types of every door resolve in a user's strict project", () => {
  const imports = doors.map((door, index) => `import * as door${index} from "${door}";`);
  const uses = doors.map((_, index) => `door${index}`);
  writeFileSync(
    join(user.folder, "types.ts"),
    `${imports.join("\n")}\nimport { EspalierError } from "espalier";
export const doors: readonly object[] = [${uses.join(", ")}];
// @ts-expect-error a code that is in no table
new EspalierError({ code: "no-such-code", problem: "p" });\n`,
  );
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024"];
  const { status, stdout } = user.node(compiler, ...flags, "--skipLibCheck", "types.ts");
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});

test("the page of a server is in the package, with all its parts", () => {
  const { status, stdout, stderr } = runFile(`
    import { pageFace } from "espalier/serve";
    console.log(JSON.stringify(pageFace().openPaths));
  `);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual(pageFace().openPaths);
});

test("npm links the command, and it knows its version", () => {
  const { status, stdout } = user.node("node_modules/.bin/espalier", "--version");
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${manifest.version}\n` });
});

function runFile(code: string): ReturnType<PackedInstall["node"]> {
  writeFileSync(join(user.folder, "main.ts"), code);
  return user.node("main.ts");
}
