import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "vitest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PackedInstall } from "../support/packed-install.ts";
import { packedInstall } from "../support/packed-install.ts";
import { runtimePrograms } from "./runtime-programs.ts";

const nodePackage = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
/** npm packages with the runtimes, and what starts each. */
const runtimes = {
  Bun: { ofNpm: "bun", command: ["bun/bin/bun.exe", "run"] },
  Deno: { ofNpm: "deno", command: ["deno/bin.cjs", "run", "-A"] },
  "Node.js 20": { ofNpm: `${nodePackage}@20`, command: [`${nodePackage}/bin/node`] },
} as const;

let user: PackedInstall;
let tools: string;
/** Why a runtime cannot be tried here, by name. */
const missing = new Map<string, string>();

beforeAll(() => {
  user = packedInstall();
  for (const [file, text] of Object.entries(runtimePrograms)) {
    writeFileSync(join(user.folder, file), text);
  }
  tools = mkdtempSync(join(tmpdir(), "espalier-runtimes-"));
  writeFileSync(join(tools, "package.json"), JSON.stringify({ private: true }));
  for (const [name, { ofNpm }] of Object.entries(runtimes)) {
    const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--foreground-scripts"];
    const { status, stderr } = spawnSync("npm", ["install", ...flags, ofNpm], {
      cwd: tools,
      encoding: "utf8",
    });
    if (status !== 0) missing.set(name, `npm has no ${ofNpm} here: ${stderr}`);
  }
});

afterAll(() => {
  user[Symbol.dispose]();
  rmSync(tools, { recursive: true, force: true });
});

describe.each(["Bun", "Deno"] as const)("%s", (name) => {
  it("runs a program, an evaluation and a handler of the library", (context) => {
    expect(printed(context, name, "library.mjs")).toEqual([
      'ran {"answer":"In 1871."}',
      "evaluated 1",
      "served In 1871.",
    ]);
  });

  it("searches an index in SQLite", (context) => {
    expect(printed(context, name, "search.mjs")).toEqual(["found a"]);
  });

  it("requires the doors of the library", (context) => {
    expect(printed(context, name, "required.cjs")).toEqual(["required answer function"]);
  });

  it("runs the command on a study in TypeScript", (context) => {
    const command = "node_modules/espalier/dist/src/cli/bin.js";
    const [first] = printed(context, name, command, "show", "study.ts");
    expect(first).toBe("towns: program answerer 1, objective token_f1");
  });
});

describe("CommonJS in Node.js", () => {
  it("requires the doors of the library", () => {
    expect(user.node("required.cjs")).toEqual({
      status: 0,
      stdout: "required answer function\n",
      stderr: "",
    });
  });
});

describe("Node.js 20", () => {
  it.each(["library.mjs", "search.mjs", "required.cjs"])(
    "is refused in a sentence that says what is needed: %s",
    (file) => {
      expect(missing.get("Node.js 20")).toBe(undefined);
      const { status, stdout, stderr } = started("Node.js 20", file);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(
        /This Node[.]js is too old for espalier[.] Expected: Node[.]js 22[.]18 or newer, Bun or Deno[.] Got: Node[.]js 20[.]\S+[.] Install a newer version/,
      );
    },
  );
});

/** The lines of what a runtime prints; the test is skipped where npm does not have it. */
function printed(
  context: TestContext,
  name: keyof typeof runtimes,
  ...words: readonly string[]
): readonly string[] {
  const why = missing.get(name);
  if (why !== undefined && process.env["CI"] !== "true") context.skip(why);
  const { status, stdout, stderr } = started(name, ...words);
  expect({ status, stderr, why }).toMatchObject({ status: 0 });
  return stdout.trimEnd().split("\n");
}

function started(name: keyof typeof runtimes, ...words: readonly string[]) {
  const [file, ...flags] = runtimes[name].command;
  const path = join(tools, "node_modules", file);
  const isScript = file.endsWith(".cjs");
  const [program, ...first] = isScript ? [process.execPath, path] : [path];
  const { NODE_OPTIONS: _, ...env } = process.env;
  return spawnSync(program ?? path, [...first, ...flags, ...words], {
    cwd: user.folder,
    env: { ...env, NO_COLOR: "1" },
    encoding: "utf8",
  });
}
