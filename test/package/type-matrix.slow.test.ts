import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archive, packed, runIn } from "../support/packed-install.ts";
import { readmeExample } from "../support/readme-example.ts";
import { wrongPrograms } from "./wrong-programs.ts";

const repository = resolve(import.meta.dirname, "../..");
const manifest: {
  readonly peerDependencies: { readonly zod: string };
  readonly devDependencies: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
const zods = {
  least: manifest.peerDependencies.zod.slice(1),
  newest: manifest.devDependencies["zod"] ?? "",
};
const compilers = { "5.9": "typescript5", "6": "typescript6", "7": "typescript7" };
const resolutions = {
  nodenext: { module: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};

let folder: string;

beforeAll(() => {
  const files = packed();
  folder = mkdtempSync(join(tmpdir(), "espalier-types-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  install(
    files.espalier,
    files.rehearsal,
    archive("tracking"),
    archive("ai-sdk"),
    archive("judge"),
    "typescript5@npm:typescript@5.9",
    "typescript6@npm:typescript@6",
    "typescript7@npm:typescript@7",
    `@types/node@${manifest.devDependencies["@types/node"]}`,
  );
  cpSync(join(repository, "test/package/typed-programs"), join(folder, "correct"), {
    recursive: true,
  });
  cpSync(join(folder, "node_modules/espalier/dist/templates"), join(folder, "correct/templates"), {
    recursive: true,
  });
  writeFileSync(join(folder, "correct/answerer.ts"), readmeExample());
  mkdirSync(join(folder, "wrong"));
  for (const [at, { code }] of wrongPrograms.entries()) {
    writeFileSync(join(folder, `wrong/${at}.ts`), code);
  }
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.entries(zods))("with the %s zod, %s", (_, zod) => {
  beforeAll(() => install(`zod@${zod}`));

  describe.each(Object.entries(compilers))("and TypeScript %s", (version, compiler) => {
    it.each(Object.entries(resolutions))(
      "correct programs compile under %s, and wrong ones say what is wrong",
      (_resolution, options) => {
        expect(versionOf(compiler).startsWith(version)).toBe(true);
        expect(versionOf("zod")).toBe(zod);
        const errors = errorsOf(compiler, options);
        const elsewhere = Object.entries(errors).filter(([file]) => !file.startsWith("wrong/"));
        expect(elsewhere).toEqual([]);
        for (const [at, { mistake, says }] of wrongPrograms.entries()) {
          const said = errors[`wrong/${at}.ts`] ?? "";
          expect.soft(said, mistake).toMatch(says);
          expect.soft(said.split("\n").length, `${mistake}: ${said}`).toBeLessThanOrEqual(8);
          expect.soft(said.length, `${mistake}: ${said}`).toBeLessThan(1_500);
        }
      },
    );
  });
});

it("has at least 15 wrong programs", () => {
  expect(wrongPrograms.length).toBeGreaterThanOrEqual(15);
});

/** What the compiler says of each file, the libraries' declarations included. */
function errorsOf(compiler: string, options: object): Readonly<Record<string, string>> {
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        target: "es2024",
        lib: ["es2024", "esnext.disposable"],
        types: ["node"],
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        erasableSyntaxOnly: true,
        verbatimModuleSyntax: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        ...options,
      },
      include: ["correct", "wrong"],
    }),
  );
  const program = join(folder, "node_modules", compiler, "bin/tsc");
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [program, "-p", ".", "--pretty", "false"],
    {
      cwd: folder,
      encoding: "utf8",
    },
  );
  const errors: Record<string, string> = {};
  let file = "the project";
  for (const line of `${stdout}${stderr}`.split("\n").filter((text) => text !== "")) {
    const [, named] = /^(\S[^(]*)\(\d+,\d+\): error /.exec(line) ?? [];
    file = named ?? (line.startsWith(" ") ? file : "the project");
    errors[file] = errors[file] === undefined ? line : `${errors[file]}\n${line}`;
  }
  return errors;
}

function install(...packages: readonly string[]): void {
  const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--save-exact"];
  runIn(folder, "npm", ["install", ...flags, ...packages]);
}

function versionOf(name: string): string {
  const { version }: { readonly version: string } = JSON.parse(
    readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"),
  );
  return version;
}
