import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
const manifest: { version: string; engines: { node: string } } = JSON.parse(
  readFileSync(resolve(repository, "package.json"), "utf8"),
);

test("an older Node.js gets one sentence and exit code 1", () => {
  const { status, stdout, stderr } = espalier({ nodeVersion: "20.20.2" });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr:
      "espalier needs Node.js 22.18 or newer; this is 20.20.2. Install a newer version from https://nodejs.org.\n",
  });
});

test.each(["18.20.8", "20.20.2", "22.17.1"])("Node.js %s is too old", (nodeVersion) => {
  expect(espalier({ nodeVersion }).status).toBe(1);
});

test.each(["22.18.0", "23.0.0", "24.21.0", "100.0.0"])(
  "Node.js %s is new enough",
  (nodeVersion) => {
    expect(espalier({ nodeVersion })).toMatchObject({ status: 0, stdout: `${manifest.version}\n` });
  },
);

test("the sentence names the version that package.json asks for", () => {
  expect(manifest.engines.node).toBe(">=22.18");
});

/** Runs `espalier --version` in a process that takes itself for another version of Node.js. */
function espalier({ nodeVersion }: { nodeVersion: string }) {
  const versions = `{ ...process.versions, node: "${nodeVersion}" }`;
  const disguise = `Object.defineProperty(process, "versions", { value: ${versions} })`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--conditions=espalier:source",
      `--import=data:text/javascript,${encodeURIComponent(disguise)}`,
      "src/cli/bin.ts",
      "--version",
    ],
    { cwd: repository, encoding: "utf8" },
  );
  return { status, stdout, stderr };
}
