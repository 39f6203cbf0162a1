import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const repository = resolve(import.meta.dirname, "../../..");
const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

const files = {
  "package.json": '{"type":"module"}',
  "a.ts": "export const a = 1;\n",
  "syntax.ts": 'const study = {\n  name: "towns",\n  program: ,\n};\nexport default study;\n',
  "imports-syntax.ts": 'import "./syntax.ts";\nexport default 1;\n',
  "enum.ts": "const a = 1;\nenum Kind { A, B }\nexport default [a, Kind.A];\n",
  "js-name.ts": 'import { a } from "./a.js";\nexport default a;\n',
  "no-extension.ts": 'import { a } from "./a";\nexport default a;\n',
  "no-file.ts": 'import { b } from "./b.ts";\nexport default b;\n',
  "no-package.ts": 'import left from "left-pad-of-nobody";\nexport default left;\n',
  "type.ts": 'import { PathLike } from "node:fs";\nexport default "x" as PathLike;\n',
  "requires.ts": 'const fs = require("node:fs");\nmodule.exports = fs;\n',
  "throws.ts": "const nobody: any = undefined;\n\nexport default nobody.name;\n",
  "tsconfig.json": '{"compilerOptions":{"paths":{"lib/*":["./*"]}}}',
  "node_modules/parted/package.json": '{"name":"parted","exports":{}}',
  "data.json": '{"a":1}',
  "view.tsx": "export const a = 1;\n",
  "parts/index.ts": "export const a = 1;\n",
  "plain.js": "export const a = 1;\n",
  "old.cjs": "Object.assign(module.exports, { a: 1 });\n",
  ...Object.fromEntries(
    Object.entries({
      "at-alias": "@/a",
      "tilde-alias": "~/a",
      "hash-alias": "#a",
      "scope-alias": "@a",
      "named-alias": "lib/a",
      "base-alias": "parts/index",
      "without-dot": "a.ts",
      "no-scoped": "@nobody-at-all/left-pad/deep.js",
      "no-builtin": "node:path/windows",
      "no-part": "fs/promise",
      "no-export": "parted/nothing",
      bun: "bun:test",
      json: "./data.json",
      jsx: "./view.tsx",
      "jsx-without": "./view",
      folder: "./parts",
      "js-without": "./plain",
      "from-commonjs": "./old.cjs",
    }).map(([name, from]) => [
      `from/${name}.ts`,
      `import { a } from "${from.replace("./", "../")}";\n`,
    ]),
  ),
  "commonjs/package.json": '{"type":"commonjs"}',
  "commonjs/study.ts": 'import "node:fs";\nexport default 1;\n',
};

beforeAll(async () => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
});

// In processes of plain Node.js, which vitest and tsx are not: they load such files all the same.
it.each<readonly [string, string, string]>([
  [
    "a syntax error, with its line and a caret",
    "syntax.ts",
    `Cannot import "syntax.ts" (at syntax.ts:3). Got: SyntaxError: Expression expected
  program: ,
           ^
Correct the syntax.`,
  ],
  ["one in a file that it imports", "imports-syntax.ts", "(at syntax.ts:3)"],
  ["an enum, where it is", "enum.ts", "(at enum.ts:2)"],
  ["an enum, and what to write instead", "enum.ts", "write an enum as an object `as const`"],
  ["an import by the compiled name", "js-name.ts", "Import a.ts by its own name, with .ts"],
  ["an import without an extension", "no-extension.ts", "Import a.ts by its own name, with .ts"],
  ["a file that is not there", "no-file.ts", "Correct the path of the import."],
  ["a package that is not there", "no-package.ts", "npm install left-pad-of-nobody"],
  ["a type imported as a value", "type.ts", "write `import type { PathLike }`"],
  ["what only CommonJS has", "requires.ts", "use `import` and `export` instead of `require`"],
  ["an error of its own, where it is thrown", "throws.ts", "(at throws.ts:3)"],
  ...["at", "tilde", "hash", "scope", "named", "base"].map((name): [string, string, string] => [
    `an alias of TypeScript, ${name}`,
    `from/${name}-alias.ts`,
    "does not read `paths`",
  ]),
  ["a file without its ./", "from/without-dot.ts", "write a relative path"],
  [
    "a part of a package that is not there",
    "from/no-scoped.ts",
    "install @nobody-at-all/left-pad.",
  ],
  ["no module of Node.js", "from/no-builtin.ts", "This version of Node.js has no such module"],
  ["no part of one", "from/no-part.ts", "`fs` belongs to Node.js"],
  [
    "no export of a package",
    "from/no-export.ts",
    "The package is installed, but does not export this path",
  ],
  [
    "another runtime's module",
    "from/bun.ts",
    "Node.js imports only files, packages and its own modules",
  ],
  ["JSON without its type", "from/json.ts", 'with { type: "json" }'],
  ["a file with JSX", "from/jsx.ts", "Node.js does not run JSX"],
  ["one without its extension", "from/jsx-without.ts", "Node.js does not run JSX"],
  ["a folder", "from/folder.ts", "Import parts/index.ts by its own name, with .ts"],
  [
    "JavaScript without its extension",
    "from/js-without.ts",
    "Import plain.js by its own name, with .js",
  ],
  [
    "a name of CommonJS",
    "from/from-commonjs.ts",
    "import its default export, and take `a` from that",
  ],
  ["no place in Node.js itself", "no-package.ts", 'import "no-package.ts". Got'],
  ["a folder of CommonJS", "commonjs/study.ts", 'Add "type": "module" to the package.json'],
])("a study that cannot be imported says why: %s", async (_, file, expected) => {
  const stderr = await new Promise<string>((done) => {
    execFile(
      process.execPath,
      ["--conditions=espalier:source", join(repository, "src/cli/bin.ts"), "eval", file],
      { cwd: folder.path },
      (_error, _stdout, written) => done(written),
    );
  });
  expect(stderr).toContain("study-invalid");
  expect(stderr).toContain(expected);
});
