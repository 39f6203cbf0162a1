import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Packed } from "../support/packed-install.ts";
import { archive, packed, runIn } from "../support/packed-install.ts";

let files: Packed;
beforeAll(() => {
  files = packed();
});

test.each([
  "espalier",
  "rehearsal",
  "postgres",
  "lance",
  "search-engines",
  "judge",
  "mcp",
  "tracking",
  "ai-sdk",
  "local",
] as const)("npm would publish %s without a warning", (name) => {
  const words = ["publish", archive(name), "--dry-run"];
  const { status, stderr } = spawnSync("npm", words, { encoding: "utf8" });
  const warnings = stderr.split("\n").filter((line) => /^npm (?:warn|error)/i.test(line));
  // Nobody is logged in where this runs.
  expect(warnings.filter((line) => !line.includes("requires you to be logged in"))).toEqual([]);
  expect(status).toBe(0);
});

const ofNpm = {
  name: "mine",
  version: "1.0.0",
  main: "index.js",
  scripts: { test: 'echo "Error: no test specified" && exit 1' },
  type: "commonjs",
};

test("a project in an empty folder runs, and passes its tests and types", ({ annotate }) =>
  tryProject({ template: "extractor", annotate }));

test("so does one in a folder of `npm init -y`, with the oldest zod", ({ annotate }) =>
  tryProject({ template: "rag", manifest: ofNpm, more: ["zod@4.1.0"], annotate }));

async function tryProject({
  template,
  manifest,
  more = [],
  annotate,
}: {
  readonly template: string;
  readonly manifest?: object;
  readonly more?: readonly string[];
  readonly annotate: (message: string) => Promise<unknown>;
}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-init-"));
  try {
    if (manifest !== undefined) {
      writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    }
    const flags = ["--no-audit", "--no-fund", "--prefer-offline"];
    runIn(folder, "npm", ["install", ...flags, files.espalier, ...more]);
    runIn(folder, "npm", [
      "install",
      ...flags,
      "--save-dev",
      "--omit=peer",
      files.rehearsal,
      archive("local"),
    ]);
    const made = runIn(folder, "npx", ["espalier", "init", "--yes", "--template", template]);
    expect(made).toContain("Next:\n  npm install\n");
    runIn(folder, "npm", ["install", ...flags]);
    const result = runIn(folder, "bash", ["-c", "npx espalier eval study.ts && times"]);
    const [ofChildren = ""] = result.trimEnd().split("\n").slice(-1);
    const cpuSeconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
      0,
    );
    expect(result).toContain("rehearsal");
    expect(result).toMatch(/scored \d+, including 0 format failures/);
    await annotate(`first result of ${template}: ${cpuSeconds.toFixed(1)} s of CPU`);
    expect(cpuSeconds).toBeGreaterThan(0);
    expect(cpuSeconds).toBeLessThan(60);
    runIn(folder, "npx", ["espalier", "optimize", "study.ts", "--budget", "small"]);
    runIn(folder, "npm", ["test"]);
    runIn(folder, "npm", ["run", "check"]);
    const { type } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(type).toBe("module");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
