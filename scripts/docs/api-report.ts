import { join } from "node:path";
import { format } from "oxfmt";
import ts from "typescript";
import { packageDoors } from "../layers/package-doors.ts";

/**
 * The public API of the package at `root` as pages for reviewers, by the names of their files: one
 * for each door, which declares what the door exports, as the build does but without comments. What
 * several doors export is declared by the first of them, in the order of package.json. A last page
 * declares what no door exports under its own name, but what the other pages name.
 */
export async function apiReport(root: string): Promise<ReadonlyMap<string, string>> {
  const doors = [...packageDoors(root)].map(([path, door]) => ({
    door,
    file: join(root, `${path}.ts`),
  }));
  const program = programOfDeclarations(root, doors);
  const exported = doors.map(({ door, file }) => ({ door, symbols: exportsOf(file, program) }));

  const homes = new Map<ts.Symbol, string>();
  for (const { door, symbols } of exported) {
    for (const [name, symbol] of symbols) {
      if (name === symbol.name && !homes.has(symbol)) homes.set(symbol, door);
    }
  }
  const ofDoors = exported.map(({ door, symbols }) => {
    const declarations = symbols.map(([name, symbol]) => {
      const home = homes.get(symbol) ?? unexported;
      if (name !== symbol.name) return `export { ${symbol.name} as ${name} } from "${home}";`;
      return home === door ? textOf(symbol) : `export { ${name} } from "${home}";`;
    });
    return page(door, declarations);
  });

  const reached = new Set(exported.flatMap(({ symbols }) => symbols.map(([, symbol]) => symbol)));
  // A loop over a set also visits what is added meanwhile.
  for (const symbol of reached) {
    for (const named of namedBy(symbol, program)) reached.add(named);
  }
  const others = [...reached]
    .filter((symbol) => !homes.has(symbol))
    .map((symbol) => [symbol.name, textOf(symbol).replace(/^export /gm, "")] as const)
    .toSorted(([a, textOfA], [b, textOfB]) => inOrder(a, b) || inOrder(textOfA, textOfB))
    .map(([, text]) => text);
  return new Map(await Promise.all([...ofDoors, page(unexported, others)]));
}

const unexported = "unexported";

async function page(
  name: string,
  declarations: readonly string[],
): Promise<readonly [file: string, text: string]> {
  const { code } = await format("page.d.ts", declarations.join("\n\n"), { printWidth: 100 });
  return [`${name.replace("espalier/", "")}.api.md`, `# ${name}\n\n\`\`\`ts\n${code}\`\`\`\n`];
}

/**
 * A program in which each of our files holds its declarations alone. They are made file by file,
 * without a look at others: all that a door reaches compiles with `isolatedDeclarations`.
 */
function programOfDeclarations(
  root: string,
  doors: readonly { readonly file: string }[],
): ts.Program {
  const files = doors.map(({ file }) => file);
  const config = { extends: "./tsconfig.build.json", files };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const compilerOptions = { ...options, removeComments: true };
  const host = ts.createCompilerHost(options);
  const asWritten = host.getSourceFile.bind(host);
  host.getSourceFile = (fileName, language, ...rest) => {
    const source = isOurs(fileName) ? ts.sys.readFile(fileName) : undefined;
    if (source === undefined) return asWritten(fileName, language, ...rest);
    const { outputText } = ts.transpileDeclaration(source, { fileName, compilerOptions });
    return ts.createSourceFile(fileName, outputText, language, true);
  };
  return ts.createProgram(files, options, host);
}

function isOurs(fileName: string): boolean {
  return !fileName.includes("/node_modules/");
}

/** What a module exports, by name. */
function exportsOf(
  file: string,
  program: ts.Program,
): readonly (readonly [name: string, symbol: ts.Symbol])[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} exports nothing, and package.json names it.`);
  const values = checker.getTypeOfSymbol(module);
  return (
    checker
      .getExportsOfModule(module)
      .map((symbol) => [symbol.name, aliased(symbol, program)] as const)
      // `export type *` also passes values on, which can then be named, but not used.
      .filter(
        ([name, { flags }]) =>
          (flags & ts.SymbolFlags.Value) === 0 || checker.getPropertyOfType(values, name),
      )
      .toSorted(([a], [b]) => inOrder(a, b))
  );
}

/** What of ours the declarations of `symbol` name. */
function namedBy(symbol: ts.Symbol, program: ts.Program): readonly ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    const named = ts.isIdentifier(node) && program.getTypeChecker().getSymbolAtLocation(node);
    if (named) found.push(aliased(named, program));
    ts.forEachChild(node, visit);
  };
  statementsOf(symbol).forEach(visit);
  return found.filter((named) => statementsOf(named).length > 0);
}

function aliased(symbol: ts.Symbol, program: ts.Program): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias
    ? program.getTypeChecker().getAliasedSymbol(symbol)
    : symbol;
}

function textOf(symbol: ts.Symbol): string {
  const statements = statementsOf(symbol);
  if (statements.length === 0) throw new Error(`No declaration of ours is named ${symbol.name}.`);
  return statements.map((statement) => statement.getText()).join("\n");
}

/** The statements of our modules that declare `symbol`; none if it is declared inside of one. */
function statementsOf({ declarations = [] }: ts.Symbol): readonly ts.Node[] {
  return declarations
    .map((node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node))
    .filter(({ parent }) => parent && ts.isSourceFile(parent) && isOurs(parent.fileName));
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
