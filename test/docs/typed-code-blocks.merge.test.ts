import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeBlock } from "../../scripts/docs/markdown.ts";
import { inLanguage } from "./support/documented-blocks.ts";

const repository = resolve(import.meta.dirname, "../..");

// Inside of the repository, so that the package name means this tree.
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(repository, ".tmp-docs-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the TypeScript of all pages compiles against this tree", () => {
  const files = inLanguage("ts").map((block, index) => ({ ...block, path: pathOf(block, index) }));
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  for (const { path, code } of files) {
    mkdirSync(resolve(path, ".."), { recursive: true });
    writeFileSync(path, code);
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
  const problems = files.flatMap(({ path, page, line }) => {
    const source = compiled.getSourceFile(path);
    return [
      ...compiled.getSyntacticDiagnostics(source),
      ...compiled.getSemanticDiagnostics(source),
    ].map(({ start = 0, messageText }) => {
      const within = source?.getLineAndCharacterOfPosition(start).line ?? 0;
      return `${page}:${line + within}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
  });
  expect(problems).toEqual([]);
});

function pathOf({ file, page }: CodeBlock & { readonly page: string }, index: number): string {
  return join(folder, file ?? `${page.replace(/[^a-z]+/gi, "-")}-${index}.ts`);
}
