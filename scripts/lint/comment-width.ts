/**
 * A lint rule: comments wrap at 100 columns, as oxfmt wraps code. URLs, table rows and directives
 * of tools cannot wrap, so they may be longer. oxlint loads this file as a plugin (`jsPlugins`).
 */
const maxColumns = 100;

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Span {
  readonly start: Position;
  readonly end: Position;
}

/** The part of ESLint's rule context that oxlint provides and the rule uses. */
interface RuleContext {
  readonly sourceCode: {
    readonly lines: readonly string[];
    getAllComments(): readonly { readonly value: string; readonly loc: Span }[];
  };
  report(problem: { readonly message: string; readonly loc: Span }): void;
}

const commentWidth = {
  create: (context: RuleContext) => ({
    Program: (): void => {
      const { sourceCode } = context;
      for (const { value, loc } of sourceCode.getAllComments()) {
        if (directive.test(value)) continue;
        for (let line = loc.start.line; line <= loc.end.line; line += 1) {
          const text = sourceCode.lines[line - 1] ?? "";
          const column = line === loc.end.line ? loc.end.column : text.length;
          if (column <= maxColumns || unwrappable.test(text)) continue;
          context.report({
            message: `Wrap comments at ${maxColumns} columns; this line has ${column}.`,
            loc: { start: { line, column: maxColumns }, end: { line, column } },
          });
        }
      }
    },
  }),
};

const directive = /^\s*(?:oxlint-|eslint-|@ts-|v8 )/;
const unwrappable = /:\/\/|^\s*(?:\*|\/\/)\s*\|/;

// oxlint-disable-next-line import/no-default-export -- oxlint reads a plugin's default export
export default { meta: { name: "espalier" }, rules: { "comment-width": commentWidth } };
