import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");

/** One violation of each rule that differs by folder. */
const code = `import { env } from "node:process";
export default function violate(value: any): number {
  console.log(value, env, process.env["X"], Math.random(), Date.now(), performance.now());
  const list: string[] = [];
  Promise.resolve(1);
  return list[0]!.length;
}
${"// one line more\n".repeat(300)}
// ${"wide ".repeat(25)}
// https://example.org/${"wide".repeat(25)}
// oxlint-disable-next-line no-debugger -- ${"wide ".repeat(25)}
debugger;
`;

const everywhere = ["comment-width", "no-floating-promises"];
const typed = [...everywhere, "no-explicit-any"];
const shipped = [...typed, "max-lines"];
const edge = [...shipped, "no-default-export", "no-non-null-assertion"];
const pure = [
  ...edge,
  "no-console",
  "no-restricted-globals",
  "no-restricted-imports",
  "no-restricted-properties",
];

const expected: Readonly<Record<string, readonly string[]>> = {
  "src/lm": pure,
  "src/program": pure,
  signatures: pure,
  programs: pure,
  trainsets: pure,
  "src/cli": [...edge, "no-console"],
  "src/internal": [...edge, "no-console"],
  optimizers: shipped,
  scripts: [...typed, "no-default-export"],
  test: [...everywhere, "no-default-export"],
};

let root = "";
let found: Record<string, string[]> = {};

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "espalier-lint-"));
  for (const path of [".oxlintrc.json", "tsconfig.json", "package.json", ".gitignore"]) {
    cpSync(join(repository, path), join(root, path));
  }
  cpSync(join(repository, "scripts/lint"), join(root, "scripts/lint"), { recursive: true });
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  for (const folder of Object.keys(expected)) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, "violate.ts"), code);
  }
  found = rulesByFolder();
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

// An override replaces the list of an earlier one, so each folder is looked at for itself.
test.each(Object.entries(expected))(
  "%s is held to its rules, and to no others",
  (folder, rules) => {
    expect(new Set(found[folder])).toEqual(new Set(rules));
  },
);

function rulesByFolder(): Record<string, string[]> {
  const { stdout } = spawnSync(
    process.execPath,
    [join(repository, "node_modules/oxlint/bin/oxlint"), "--format=json", ...Object.keys(expected)],
    { cwd: root, encoding: "utf8" },
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string }[];
  };
  const rules: Record<string, string[]> = {};
  for (const { code: rule, filename } of diagnostics) {
    (rules[dirname(filename)] ??= []).push(rule.replace(/^.*\((.*)\)$/, "$1"));
  }
  return rules;
}
