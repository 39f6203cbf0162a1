import ts from "typescript";

const root = new URL("../../", import.meta.url).pathname;
// In a folder of the test's depth, so that relative imports read as in a test.
const path = `${root}test/support/virtual.ts`;

/** Typings are most of what is parsed, and the same for all tests of one process. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Type-checks each body in a function of its own, after one prelude for all, and gives the
 * compiler's messages. One file is one check: what the prelude declares is inferred once.
 */
export function typeErrors<TName extends string>(
  prelude: string,
  bodies: Readonly<Record<TName, string>>,
): Readonly<Record<TName, readonly string[]>> {
  let text = `${prelude}\n`;
  const places = (Object.entries(bodies) as [TName, string][]).map(([name, body]) => {
    const start = text.length;
    text += `void (async () => {\n${body}\n});\n`;
    return { name, start, end: text.length };
  });
  const problems = problemsIn(text);
  const isIn = (start: number, place: (typeof places)[number]): boolean =>
    start >= place.start && start < place.end;
  const stray = problems.find(({ start = -1 }) => !places.some((place) => isIn(start, place)));
  if (stray !== undefined) throw new Error(`The prelude does not compile: ${textOf(stray)}`);
  return Object.fromEntries(
    places.map((place) => [
      place.name,
      problems.filter(({ start = -1 }) => isIn(start, place)).map(textOf),
    ]),
  ) as Record<TName, string[]>;
}

function problemsIn(text: string): readonly ts.Diagnostic[] {
  const { options } = configuration();
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  const keptSource: typeof getSourceFile = (file, version) => {
    const kept = parsed.get(file) ?? getSourceFile(file, version);
    parsed.set(file, kept);
    return kept;
  };
  host.fileExists = (file) => file === path || fileExists(file);
  host.readFile = (file) => (file === path ? text : readFile(file));
  host.getSourceFile = (file, version) =>
    file === path ? ts.createSourceFile(file, text, version, true) : keptSource(file, version);
  const compiled = ts.createProgram([path], options, host);
  const source = compiled.getSourceFile(path);
  // One body that does not parse would be read into the next.
  const [unparsed] = compiled.getSyntacticDiagnostics(source);
  if (unparsed !== undefined) throw new Error(`Not TypeScript: ${textOf(unparsed)}`);
  return compiled.getSemanticDiagnostics(source);
}

function configuration(): ts.ParsedCommandLine {
  const config = ts.getParsedCommandLineOfConfigFile(`${root}tsconfig.json`, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (problem) => {
      throw new Error(textOf(problem));
    },
  });
  if (config === undefined) throw new Error("tsconfig.json cannot be read");
  return config;
}

function textOf({ messageText }: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(messageText, "\n");
}
