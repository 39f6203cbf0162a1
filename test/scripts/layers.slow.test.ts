import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { layerRules } from "../../scripts/layers/layer-rules.ts";
import {
  ceilings,
  collections,
  floors,
  layers,
  limits,
  packages,
} from "../../scripts/layers/layers.ts";
import { layerReport } from "../../scripts/layers/layer-report.ts";

const repository = resolve(import.meta.dirname, "../..");
/** The planted tree has few files, and most of them one importer. */
const roomy = { ...ceilings, percentWithOneImporter: 100 };
let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "espalier-layers-"));
  for (const path of [
    "package.json",
    "tsconfig.json",
    ".dependency-cruiser.mjs",
    "scripts/layers",
    "scripts/support/script-options.ts",
    ...Object.values(packages).map(({ folder }) => `${folder}/package.json`),
  ]) {
    cpSync(join(repository, path), join(root, path), { recursive: true });
  }
  linkPackages();
  const rooms = layers.flat().map((folder) => `src/${folder}`);
  for (const folder of [
    ...rooms,
    ...Object.values(packages).map(({ folder }) => `${folder}/src`),
  ]) {
    plant(`${folder}/index.ts`, 'export { here } from "./here.ts";');
    plant(`${folder}/here.ts`, "export const here = 1;");
  }
  for (const [folder, rows] of Object.entries(floors)) {
    for (const part of rows.flat()) plant(partFile(folder, part, "here"), "export const here = 1;");
  }
  plant("src/index.ts", 'export { here } from "./lm/index.ts";');
  for (const folder of [...Object.keys(collections), "artifacts", "test"]) {
    plant(`${folder}/here.ts`, "export const here = 1; export type Here = 1;");
  }
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test("a tree that keeps to the table has no problems", () => {
  for (const [name, { importedBy }] of Object.entries(packages)) {
    if (importedBy !== undefined) plant(importedBy, imports(name));
  }
  plant("src/metric/files.ts", 'export { here } from "./here.ts";');
  plant("src/cli/look.ts", imports("../metric/files.ts"));
  plant("src/lm/use.ts", imports("../ax/index.ts", "./here.ts") + 'import "zod";');
  plant("src/ax/ax.ts", 'export { ai } from "@ax-llm/ax";');
  plant("signatures/good.ts", imports("espalier") + 'import "zod";');
  plant("programs/good.ts", imports("espalier/lm", "../signatures/here.ts"));
  plant(
    "trainsets/good.ts",
    'import type { Here } from "../signatures/here.ts"; import "node:fs";',
  );
  plant("optimizers/good.ts", imports("@espalier/rehearsal", "../programs/here.ts"));
  const { moduleCount, problems } = layerReport(root);
  expect(problems).toEqual([]);
  expect(moduleCount).toBeGreaterThan(50);
});

test("every rule of the table fails on a planted violation, and on nothing else", () => {
  for (const [file, planted] of Map.groupBy(violations, (one) => one.file)) {
    plant(file, planted.map(({ code }) => code).join("\n"));
  }
  const found = layerReport(root, roomy).problems.map((problem) => problem.split(" -> ")[0]);
  const expected = violations.flatMap(({ file, rules }) => rules.map((rule) => `${rule}: ${file}`));
  expect(new Set(found)).toEqual(new Set(expected));

  const rules = layerRules().map(({ name }) => name);
  const topFloors = Object.entries(floors).flatMap(([folder, rows]) =>
    rows.at(-1)?.length === 1 ? [`floor-${folder}/${rows.at(-1)?.[0]}`] : [],
  );
  const broken = new Set(violations.flatMap((violation) => violation.rules));
  expect(broken.union(new Set(topFloors))).toEqual(new Set(rules));
});

test("a file that the tool does not see is a problem", () => {
  plant("src/lm/unseen.ts", "export const unseen = 1;");
  writeFileSync(
    join(root, ".dependency-cruiser.mjs"),
    "export default { forbidden: [], options: { exclude: 'unseen', tsPreCompilationDeps: true } };",
  );
  expect(layerReport(root).problems).toEqual(["not checked: src/lm/unseen.ts"]);
});

test("a folder of src/ that is not in the table is a problem", () => {
  plant("src/helpers/index.ts", "export const here = 1;");
  expect(layerReport(root).problems).toEqual(["not in the table of layers: src/helpers"]);
});

test("a folder or file that has outgrown its limits is a problem", () => {
  const line = "export const here = 1;";
  plant("src/metric/long.ts", [line, ...Array<string>(limits.linesOfFile).fill("//")].join("\n"));
  for (let n = 0; n < limits.filesInFolder; n++) plant(`src/runner/${n}.ts`, line);
  for (let n = 0; n * 200 <= limits.linesWithoutFloors; n++) {
    plant(`src/study/deep/${n}.ts`, Array<string>(200).fill("//").join("\n"));
  }
  expect(layerReport(root).problems).toEqual([
    `src/metric/long.ts has ${limits.linesOfFile + 1} lines, more than ${limits.linesOfFile}`,
    `src/runner has ${limits.filesInFolder + 2} files, more than ${limits.filesInFolder}`,
    "src/study has 2202 lines and no inner table in scripts/layers/layers.ts",
    "src/study/deep has 2200 lines and no inner table in scripts/layers/layers.ts",
  ]);
});

test("an inner table that does not match the folders on disk is a problem", () => {
  const [folder = ""] = Object.keys(floors);
  plant(`src/${folder}/attic/here.ts`, "export const here = 1;");
  expect(layerReport(root).problems).toEqual([
    `src/${folder}/attic is not in the inner table of ${folder}`,
  ]);
});

test("src/ above one of its ceilings is a problem, and every figure is told", () => {
  plant("src/lm/room.ts", imports("./table.ts"));
  plant("src/lm/table.ts", imports("./here.ts"));
  const empty = layerReport(root, { folders: {}, percentWithOneImporter: 100 });
  const at = Number(/([\d.]+) % of files with one importer/.exec(empty.figures.join())?.[1]);
  expect(at).toBeGreaterThan(0);

  const folders = { "src/lm": { files: 4, lines: 1 }, "src/runner": { files: 2, lines: 2 } };
  const { figures, problems } = layerReport(root, { folders, percentWithOneImporter: at - 0.1 });
  expect(figures).toContain("src/runner has 2 files, ceiling 2");
  expect(problems).toEqual([
    expect.stringMatching(/^src\/lm has \d+ files, ceiling 4$/),
    expect.stringMatching(/^src\/lm has \d+ lines, ceiling 1$/),
    expect.stringMatching(/^src has [\d.]+ % of files with one importer, ceiling /),
  ]);
});

test("a tree without modules is a problem", () => {
  rmSync(join(root, "src"), { recursive: true });
  mkdirSync(join(root, "src"));
  for (const folder of ["packages", ...Object.keys(collections), "scripts", "test"]) {
    rmSync(join(root, folder), { recursive: true });
  }
  writeFileSync(join(root, ".dependency-cruiser.mjs"), "export default { forbidden: [] };");
  const { problems } = layerReport(root);
  expect(problems[0]).toBe("There are no modules to check.");
  for (const problem of problems.slice(1)) expect(problem).toMatch(/ does not exist$/);
});

interface Violation {
  readonly file: string;
  readonly code: string;
  readonly rules: readonly string[];
}

const violations: readonly Violation[] = [
  // Each folder reaches for its neighbour in the row or, where it is alone, for the row above.
  ...layers.flatMap((row, depth) =>
    row.map((folder) => {
      const other = row.find((name) => name !== folder) ?? layers[depth + 1]?.[0];
      const target = other === undefined ? "../index.ts" : `../${other}/index.ts`;
      return { file: `src/${folder}/up.ts`, code: imports(target), rules: [`src-${folder}`] };
    }),
  ),
  ...Object.entries(floors).flatMap(([folder, rows]) =>
    rows.flatMap((row, depth) =>
      row.flatMap((part) => {
        const other = row.find((name) => name !== part) ?? rows[depth + 1]?.[0];
        if (other === undefined) return [];
        const file = partFile(folder, part, "upstairs");
        const target = relative(dirname(file), partFile(folder, other, "here"));
        const code = imports(target.startsWith(".") ? target : `./${target}`);
        return [violation(file, code, `floor-${folder}/${part}`)];
      }),
    ),
  ),
  ...Object.values(packages).flatMap(({ folder, importedBy }) => [
    violation(`${folder}/src/up.ts`, imports("../../../src/cli/index.ts"), folder),
    violation(
      `src/lm/${basename(folder)}.ts`,
      imports(`../../${folder}/src/index.ts`),
      importedBy === undefined ? `${folder}-not-in-src` : `${folder}-in-one-file`,
    ),
    ...(importedBy === undefined
      ? []
      : [
          violation(
            importedBy,
            imports(relative(dirname(importedBy), `${folder}/src/index.ts`)),
            `${folder}-by-name`,
          ),
        ]),
  ]),
  ...["optimizers", "templates"].map((name) =>
    violation(`${name}/database.ts`, imports("@espalier/postgres"), `${name}-packages`),
  ),
  violation("src/index.ts", imports("./cli/index.ts"), "front-door"),
  violation("src/cli/window.ts", imports("../errors/here.ts"), "folder-door"),
  violation("src/cli/user.ts", imports("../../programs/here.ts"), "src-knows-no-user-code"),
  violation("src/cli/development.ts", 'import "vitest";', "src-declared-packages"),
  violation("src/lm/vendor.ts", 'import type { AxAI } from "@ax-llm/ax";', "ax-in-one-file"),
  violation("src/ax/vendor.ts", 'import { AxAI } from "@ax-llm/ax";', "ax-in-one-file"),
  violation("src/cli/lost.ts", 'import "./nowhere.ts";', "resolvable"),
  // A cycle is reported once, at its first module.
  violation("src/cli/egg.ts", imports("./hen.ts"), "no-cycles"),
  violation("src/cli/hen.ts", imports("./egg.ts")),
  violation("src/cli/double.ts", imports("../../test/here.ts"), "shipped-code-knows-no-tests"),
  violation("scripts/double.ts", imports("../test/here.ts"), "scripts-know-no-tests"),
  ...Object.keys(collections).map((name) =>
    violation(`${name}/path.ts`, imports("../src/lm/index.ts"), `${name}-package-name`),
  ),
  ...Object.keys(collections).map((name) =>
    violation(
      `${name}/inside.ts`,
      imports("../src/lm/here.ts"),
      `${name}-package-name`,
      `${name}-package-door`,
    ),
  ),
  violation("signatures/up.ts", imports("../programs/here.ts"), "signatures-folders"),
  violation("programs/up.ts", imports("../trainsets/here.ts"), "programs-folders"),
  violation("trainsets/up.ts", imports("../programs/here.ts"), "trainsets-folders"),
  violation("optimizers/up.ts", imports("../artifacts/here.ts"), "optimizers-folders"),
  violation("trainsets/value.ts", imports("../signatures/here.ts"), "trainsets-types-only"),
  violation("templates/up.ts", imports("../programs/here.ts"), "templates-folders"),
  violation("templates/npm.ts", 'import "openai";', "templates-npm"),
  ...["signatures", "programs", "trainsets"].flatMap((name) => [
    violation(`${name}/lm.ts`, imports("@espalier/rehearsal"), `${name}-packages`),
    violation(`${name}/npm.ts`, 'import "openai";', `${name}-npm`),
  ]),
  ...["signatures", "programs"].map((name) =>
    violation(`${name}/files.ts`, 'import "node:fs";', `${name}-node`),
  ),
];

/** A file of the part `part` of `src/FOLDER`. */
function partFile(folder: string, part: string, name: string): string {
  return join("src", folder, part, `${name}.ts`);
}

/** The packages of the repository, but for those of the workspace, which are this tree's own. */
function linkPackages(): void {
  const installed = join(root, "node_modules");
  mkdirSync(join(installed, "@espalier"), { recursive: true });
  for (const [name, { folder }] of Object.entries(packages)) {
    symlinkSync(join(root, folder), join(installed, name));
  }
  for (const entry of readdirSync(join(repository, "node_modules"))) {
    if (entry === "@espalier") continue;
    symlinkSync(join(repository, "node_modules", entry), join(installed, entry));
  }
}

function violation(file: string, code: string, ...rules: readonly string[]): Violation {
  return { file, code, rules };
}

function imports(...specifiers: readonly string[]): string {
  return specifiers
    .map((specifier, index) => `import { here as here${index} } from "${specifier}"; here${index};`)
    .join("\n");
}

function plant(file: string, code: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), `${code}\n`);
}
