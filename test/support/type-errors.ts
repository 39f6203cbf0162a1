import ts from "typescript";

const root = new URL("../../", import.meta.url).pathname;

/** Type-checks each body, after the prelude, as a file of its own, and gives the compiler's messages. */
export function typeErrors<TName extends string>(
  prelude: string,
  bodies: Readonly<Record<TName, string>>,
): Readonly<Record<TName, readonly string[]>> {
  const config = ts.getParsedCommandLineOfConfigFile(`${root}tsconfig.json`, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (problem) => {
      throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, "\n"));
    },
  });
  if (config === undefined) throw new Error("tsconfig.json cannot be read");
  const names = Object.keys(bodies) as TName[];
  // In a folder of the test's depth, so that relative imports read as in a test.
  const fileOf = (name: TName) => `${root}test/support/virtual-${names.indexOf(name)}.ts`;
  const sources = new Map(names.map((name) => [fileOf(name), `${prelude}\n${bodies[name]}`]));
  const host = ts.createCompilerHost(config.options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => sources.has(file) || fileExists(file);
  host.readFile = (file) => sources.get(file) ?? readFile(file);
  host.getSourceFile = (file, version) => {
    const source = sources.get(file);
    return source === undefined
      ? getSourceFile(file, version)
      : ts.createSourceFile(file, source, version, true);
  };
  const compiled = ts.createProgram([...sources.keys()], config.options, host);
  return Object.fromEntries(
    names.map((name) => [
      name,
      compiled
        .getSemanticDiagnostics(compiled.getSourceFile(fileOf(name)))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
    ]),
  ) as Record<TName, string[]>;
}
