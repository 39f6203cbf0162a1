import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { beforeAll, afterAll, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const source = resolve(import.meta.dirname, "../../src/internal/optional-package.ts");
const stack = new AsyncDisposableStack();
let folder: string;

/** Packages as npm lays them out, and a module that loads one of them by its name. */
beforeAll(async () => {
  folder = stack.use(await temporaryFolder()).path;
  const files = {
    "node_modules/whole/index.js": "export const answer = 42;",
    "node_modules/broken/index.js": "throw new TypeError('broke while loading');",
    "node_modules/lacking/index.js": "import 'deeper-package';",
    "node_modules/lacking-common/index.cjs": "require('deeper-package');",
    "node_modules/half/index.js": "import './not-there.js';",
    "load.mjs": `
      import { optionalPackages } from ${JSON.stringify(source)};
      const [name, path = "", beside] = process.argv.slice(2);
      const packages = beside === undefined ? [name] : [name, beside];
      const given = { need: "This test needs", packages, where: "here" };
      try {
        const { answer } = await optionalPackages(() => import(name + path), given);
        console.log(JSON.stringify({ answer }));
      } catch ({ name, code, message }) {
        console.log(JSON.stringify({ name, code, message }));
      }`,
  };
  for (const [path, content] of Object.entries(files)) {
    const at = join(folder, path);
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, content);
    const [, name] = /node_modules\/([^/]+)/.exec(path) ?? [];
    const main = path.endsWith(".cjs") ? "index.cjs" : "index.js";
    if (name !== undefined) {
      const manifest = JSON.stringify({ name, version: "1.0.0", type: "module", main });
      await writeFile(join(dirname(at), "package.json"), manifest);
    }
  }
});
afterAll(() => stack.disposeAsync());

function loaded(...words: string[]): unknown {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--conditions=espalier:source", "load.mjs", ...words],
    { cwd: folder, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

it("gives a package that is there", () => {
  expect(loaded("whole")).toEqual({ answer: 42 });
});

it("says which packages are to be installed where they are not, scoped and by a path as well", () => {
  expect(loaded("absent")).toMatchObject({
    code: "part-missing",
    message: "This test needs the package `absent` (at here). Install it: npm install absent.",
  });
  expect(loaded("@scope/absent", "/deep/file.js")).toMatchObject({ code: "part-missing" });
  expect(loaded("lacking", "", "deeper-package")).toMatchObject({
    code: "part-missing",
    message:
      "This test needs the packages `lacking` and `deeper-package` (at here). Install them: npm install lacking deeper-package.",
  });
});

it.each([
  ["fails while it is loaded", "broken", { name: "TypeError", message: "broke while loading" }],
  ["lacks another", "lacking", { code: "ERR_MODULE_NOT_FOUND" }],
  ["lacks another, in CommonJS", "lacking-common", { code: "MODULE_NOT_FOUND" }],
  ["lacks a file of its own", "half", { code: "ERR_MODULE_NOT_FOUND" }],
])("passes on the error of a package that %s", (_, name, error) => {
  const thrown = loaded(name);
  expect(thrown).toMatchObject(error);
  expect(thrown).not.toMatchObject({ code: "part-missing" });
});
