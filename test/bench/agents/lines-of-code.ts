import { readFileSync } from "node:fs";
import ts from "typescript";

/** Lines of TypeScript or Python that hold code: no blank ones, comments and module docstrings. */
export function linesOfCode(paths: readonly string[]): number {
  return paths.reduce((sum, path) => {
    const text = readFileSync(path, "utf8");
    return sum + (path.endsWith(".py") ? linesOfPython(text) : linesOfTypeScript(text));
  }, 0);
}

export function linesOfTypeScript(text: string): number {
  const file = ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest);
  const lines = new Set<number>();
  const lineAt = (index: number): number => file.getLineAndCharacterOfPosition(index).line;
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(file);
    for (const child of children) visit(child);
    if (children.length > 0 || node.getEnd() === node.getStart(file)) return;
    const last = lineAt(node.getEnd());
    for (let line = lineAt(node.getStart(file)); line <= last; line++) lines.add(line);
  };
  for (const statement of file.statements) visit(statement);
  return lines.size;
}

export function linesOfPython(text: string): number {
  return text
    .replace(/^""".*?"""/s, "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.trimStart().startsWith("#")).length;
}
