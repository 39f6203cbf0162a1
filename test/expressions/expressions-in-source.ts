import { readFileSync } from "node:fs";
import { parse } from "node:path";
import ts from "typescript";

export interface SourceExpression {
  /** File and line. */
  readonly where: string;
  readonly expression: RegExp;
}

export interface ExpressionsInSource {
  readonly literals: readonly SourceExpression[];
  /**
   * How many expressions each file builds when it runs, by `RegExp` or one of the named functions.
   */
  readonly built: ReadonlyMap<string, number>;
}

/** Every regular expression that stands in files of TypeScript or JavaScript. */
export function expressionsIn(
  files: readonly string[],
  builders: readonly string[],
): ExpressionsInSource {
  const literals: SourceExpression[] = [];
  const built = new Map<string, number>();
  for (const file of files) {
    const source = ts.createSourceFile(
      file,
      readFileSync(file, "utf8"),
      ts.ScriptTarget.Latest,
      true,
      parse(file).ext === ".js" ? ts.ScriptKind.JS : ts.ScriptKind.TS,
    );
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        const end = node.text.lastIndexOf("/");
        literals.push({
          where: `${file}:${line + 1}`,
          expression: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)),
        });
      }
      if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        ts.isIdentifier(node.expression) &&
        ["RegExp", ...builders].includes(node.expression.text)
      ) {
        built.set(file, (built.get(file) ?? 0) + 1);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { literals, built };
}
