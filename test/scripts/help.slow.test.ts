import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(resolve(repository, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const ours = Object.entries(scripts).flatMap(([name, command]) => {
  const words = /^tsx (?<flags>(?:--\S+ )*)(?<file>\S+\.ts)$/.exec(command)?.groups;
  return words === undefined ? [] : [{ name, ...words }];
});

test("every script of ours is among those that are asked for help", () => {
  const others = Object.entries(scripts).filter(([, command]) => !command.startsWith("tsx "));
  expect(ours.length + others.length).toBe(Object.keys(scripts).length);
  expect(ours.length).toBeGreaterThan(15);
});

test.each(ours)("npm run $name -- --help shows its options and does nothing", async (script) => {
  const { file = "", flags = "" } = script as { file?: string; flags?: string };
  const words = ["--import", "tsx", ...flags.trim().split(" ").filter(Boolean), file];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...words, "--help"], {
    cwd: repository,
  });
  expect(stdout).toMatch(/usage:? /i);
  expect(stderr).toBe("");
});
