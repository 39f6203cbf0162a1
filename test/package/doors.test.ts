import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
const manifest: {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync(resolve(repository, "package.json"), "utf8"));

const doors = Object.entries(manifest.exports).flatMap(([door, targets]) =>
  typeof targets === "string" ? [] : [{ door, targets }],
);

test.each(doors)(
  "the door $door has a source, and a built file and types beside it",
  ({ targets }) => {
    const source = targets["espalier:source"] ?? "";
    const built = source.replace("./", "./dist/").replace(/[.]ts$/, "");
    expect(targets).toEqual({
      "espalier:source": source,
      types: `${built}.d.ts`,
      default: `${built}.js`,
    });
    const [folder = source] = source.split("*");
    expect(existsSync(resolve(repository, folder))).toBe(true);
  },
);

test("nothing runs where the package is installed", () => {
  const atInstall = ["preinstall", "install", "postinstall", "prepublish", "prepare"];
  expect(atInstall.filter((name) => Object.hasOwn(manifest.scripts, name))).toEqual([]);
});

test("shipped signatures and programs have doors as soon as there are any", () => {
  const shipped = ["signatures", "programs"].filter((name) =>
    existsSync(resolve(repository, name)),
  );
  expect(doors.map(({ door }) => door).filter((door) => door.includes("*"))).toEqual(
    shipped.map((name) => `./${name}/*`),
  );
});

test("the rehearsal package has the version that espalier expects of it", () => {
  const { name, version }: { readonly name: string; readonly version: string } = JSON.parse(
    readFileSync(resolve(repository, "packages/rehearsal/package.json"), "utf8"),
  );
  expect(version).toBe(manifest.version);
  expect(manifest.peerDependencies).toMatchObject({ [name]: version });
});

test("the tests run on the Node.js that the package brings along", () => {
  expect(process.version).toBe(`v${manifest.devDependencies["node"]}`);
});
