import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = resolve(import.meta.dirname, "../../package-lock.json");
const {
  packages,
}: { packages: Record<string, Locked & { readonly resolved?: string; readonly link?: true }> } =
  JSON.parse(readFileSync(file, "utf8"));

// npm leaves out what the registry in use did not have, and `npm ci` then refuses the whole file.
test("the lock file names each dependency for each platform", () => {
  const locked = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
  const missing = Object.values(packages)
    .flatMap(({ dependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    )
    .filter((name) => !locked.has(name));
  expect(missing).toEqual([]);
});

test("the lock file names no registry, so that each machine uses its own", () => {
  const fromRegistries = Object.values(packages).filter(({ link }) => link !== true);
  expect(fromRegistries.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
