import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";

const manifest: { readonly peerDependencies: { readonly zod: string } } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8"),
);

it("runs with the oldest zod that the package accepts", () => {
  const [, wanted] = /^\^(\d+\.\d+\.\d+)$/.exec(manifest.peerDependencies.zod) ?? [];
  const { major, minor, patch } = z.core.version;
  expect(`${major}.${minor}.${patch}`).toBe(wanted);
});
