import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export interface TestTitle {
  /** Path of the file within `test`. */
  readonly file: string;
  /** As it stands in the source: `%s` and `${...}` are not filled in. */
  readonly title: string;
}

const folder = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Titles of all tests and of the groups they are in, fast and slow, read from the syntax of the
 * test files. A test or group that is never run has none; one that is skipped for want of data has.
 */
export function testTitles(): readonly TestTitle[] {
  return globSync("**/*.{test,contract}.ts", { cwd: folder }).flatMap((file) => {
    const source = ts.createSourceFile(
      file,
      readFileSync(`${folder}${file}`, "utf8"),
      ts.ScriptTarget.Latest,
    );
    return [...titlesIn(source, source)].map((title) => ({ file, title }));
  });
}

function* titlesIn(node: ts.Node, source: ts.SourceFile): Generator<string> {
  if (ts.isCallExpression(node)) {
    const title = node.arguments[0];
    const names = namesIn(node.expression);
    const isTest = ["it", "test", "describe"].includes(names[0] ?? "");
    if (isTest && (names.includes("skip") || names.includes("todo"))) return;
    if (isTest && title !== undefined && (ts.isStringLiteral(title) || isTemplate(title))) {
      yield title.getText(source).slice(1, -1);
    }
  }
  for (const child of node.getChildren(source)) yield* titlesIn(child, source);
}

function isTemplate(node: ts.Node): boolean {
  return ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);
}

/** `it.each(rows)` as `it`, `each`. */
function namesIn(node: ts.Node): readonly string[] {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return [...namesIn(node.expression), node.name.text];
  if (ts.isCallExpression(node)) return namesIn(node.expression);
  return [];
}
