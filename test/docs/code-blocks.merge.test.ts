import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { serversSchema } from "espalier/servers";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeBlock } from "../../scripts/docs/markdown.ts";
import { codeBlocksIn, documentationPages } from "../../scripts/docs/markdown.ts";
import { shellProblems } from "./support/shell-problems.ts";

const repository = resolve(import.meta.dirname, "../..");
const blocks = documentationPages(repository).flatMap((page) =>
  codeBlocksIn(readFileSync(resolve(repository, page), "utf8")).map((block) => ({
    page,
    ...block,
    place: `${page}:${block.line}`,
  })),
);
const inLanguage = (...languages: readonly string[]) =>
  blocks.filter(({ language }) => languages.includes(language));

test("every code block is in a language that is checked, or is text, a diagram, or another project's Python", () => {
  const known = new Set(["ts", "sh", "json", "text", "mermaid", "python"]);
  const others = blocks.filter(({ language }) => !known.has(language));
  expect(others.map(({ place }) => place)).toEqual([]);
  expect(inLanguage("ts").length).toBeGreaterThan(10);
  expect(inLanguage("sh").length).toBeGreaterThan(10);
});

test("python is shown only where espalier is compared with a Python project", () => {
  expect(new Set(inLanguage("python").map(({ page }) => page))).toEqual(
    new Set(["docs/from-dspy.md"]),
  );
});

test.each(inLanguage("json"))("the JSON at $place can be read", ({ code }) => {
  const parses = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  // One value, or one a line.
  expect(parses(code) || code.trimEnd().split("\n").every(parses)).toBe(true);
});

test.each(inLanguage("json").filter(({ code }) => code.includes("espalier-servers/1")))(
  "the servers file at $place is one",
  ({ code }) => {
    expect(() => serversSchema.parse(JSON.parse(code))).not.toThrow();
  },
);

test.each(inLanguage("sh"))("the commands and options at $place exist", async ({ code }) => {
  expect(await shellProblems(code, repository)).toEqual([]);
});

// Inside of the repository, so that the package name means this tree.
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(repository, ".tmp-docs-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the TypeScript of all pages compiles against this tree", () => {
  const files = inLanguage("ts").map((block, index) => ({ ...block, path: pathOf(block, index) }));
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  for (const { path, setup, code } of files) {
    mkdirSync(resolve(path, ".."), { recursive: true });
    writeFileSync(path, `${setup}${code}`);
  }
  const config = ts.getParsedCommandLineOfConfigFile(`${repository}/tsconfig.json`, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
  });
  const compiled = ts.createProgram(
    files.map(({ path }) => path),
    config?.options ?? {},
  );
  const problems = files.flatMap(({ path, setup, page, line }) => {
    const source = compiled.getSourceFile(path);
    return [
      ...compiled.getSyntacticDiagnostics(source),
      ...compiled.getSemanticDiagnostics(source),
    ].map(({ start = 0, messageText }) => {
      const within = source?.getLineAndCharacterOfPosition(start).line ?? 0;
      const before = setup.split("\n").length - 1;
      return `${page}:${line + within - before}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
  });
  expect(problems).toEqual([]);
});

function pathOf({ file, page }: CodeBlock & { readonly page: string }, index: number): string {
  return join(folder, file ?? `${page.replace(/[^a-z]+/gi, "-")}-${index}.ts`);
}
