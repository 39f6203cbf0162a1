import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { beforeAll, afterAll, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const source = resolve(import.meta.dirname, "../../src/internal/package-missing.ts");
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
      import { isPackageMissing } from ${JSON.stringify(source)};
      const [name, path = "", asked = name] = process.argv.slice(2);
      const error = await import(name + path).then(() => undefined, (cause) => cause);
      console.log(JSON.stringify({ isMissing: isPackageMissing(error, asked), name: error?.name }));`,
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

it("is told of a package that is not there, scoped and by a path as well", () => {
  expect(loaded("absent")).toMatchObject({ isMissing: true });
  expect(loaded("@scope/absent", "/deep/file.js")).toMatchObject({ isMissing: true });
  expect(loaded("lacking", "", "deeper-package")).toMatchObject({ isMissing: true });
});

it("is not told of a package that is there", () => {
  expect(loaded("whole")).toEqual({ isMissing: false });
});

it.each([
  ["fails while it is loaded", "broken", "TypeError"],
  ["lacks another", "lacking", "Error"],
  ["lacks another, in CommonJS", "lacking-common", "Error"],
  ["lacks a file of its own", "half", "Error"],
])("is not told of a package that %s", (_, package_, name) => {
  expect(loaded(package_)).toEqual({ isMissing: false, name });
});
