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

/** Each line of a test that the rules for tests look at, by whether they refuse it. */
const inTests = {
  "no-sleep": {
    refused: [
      "await delay(5);",
      "void delay(5);",
      "await new Promise((done) => setTimeout(done, 5));",
      "await new Promise((done) => { setTimeout(done, 5); });",
      "for (let round = 0; round < 9 && !isDone(); round++) await delay(5);",
      "while (performance.now() < endMs) await delay(5);",
      "while (!isDone()) { list.push(() => delay(5)); }",
    ],
    allowed: [
      "while (!isDone()) await delay(5);",
      "while (list.length < 3) { await new Promise((done) => setTimeout(done, 5)); }",
      "do { await delay(5); } while (!isDone());",
      "await new Promise((done) => setImmediate(done));",
    ],
  },
  "no-duration-bound": {
    refused: [
      "expect(endMs).toBeLessThan(100);",
      "expect(found.seconds).toBeGreaterThanOrEqual(3);",
      "expect(performance.now() - begun).not.toBeLessThanOrEqual(20);",
      "expect(Math.min(...waitsMs)).toBeGreaterThan(5);",
      "expect(passed).toBeLessThan(1_000);",
      "expect(endMs / 1_000).toBeLessThan(5);",
    ],
    allowed: [
      "expect(endMs).toBeGreaterThanOrEqual(0);",
      "expect(endMs).toBeGreaterThan(begun);",
      "expect(endMs / found.elapsedMs).toBeLessThan(12);",
      "expect(cpuSeconds).toBeLessThan(12);",
      "expect(list.length).toBeLessThan(12);",
      "expect({ endMs }).toEqual({ endMs: 3 });",
    ],
  },
};

test.each(Object.entries(inTests))("in tests, %s refuses these and no others", (rule, lines) => {
  const head = `import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
declare const [list, isDone, found, waitsMs, endMs]: any[];
declare const cpuSeconds: number;
const begun = performance.now();
const passed = performance.now() - begun;
`;
  const body = [...lines.refused, ...lines.allowed];
  const first = head.split("\n").length;
  for (const folder of ["test/lm", "test/bench"]) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, "paced.test.ts"), head + body.join("\n"));
  }
  const found = lint("test/lm", "test/bench").filter(({ code }) => code.includes(`(${rule})`));
  expect(found.map(({ filename, labels: [label] }) => [filename, label?.span.line])).toEqual(
    lines.refused.map((_, index) => ["test/lm/paced.test.ts", first + index]),
  );
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
  const rules: Record<string, string[]> = {};
  for (const { code: rule, filename } of lint(...Object.keys(expected))) {
    (rules[dirname(filename)] ??= []).push(rule.replace(/^.*\((.*)\)$/, "$1"));
  }
  return rules;
}

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

function lint(...folders: readonly string[]): readonly Diagnostic[] {
  const { stdout } = spawnSync(
    process.execPath,
    [join(repository, "node_modules/oxlint/bin/oxlint"), "--format=json", ...folders],
    { cwd: root, encoding: "utf8" },
  );
  return (JSON.parse(stdout) as { readonly diagnostics: readonly Diagnostic[] }).diagnostics;
}
