import { shellWords } from "./option-memory.ts";

/** What was given on the command line, by option; the study under `study`. */
type Given = Readonly<Record<string, unknown>> & { readonly study: string };

/** What to do with a result, as commands that can be pasted. */
export function nextCommands(
  given: Given,
  { runFolder, artifact }: { readonly runFolder: string; readonly artifact: string | null },
): readonly string[] {
  const forProgram = optionsOf(given, ["rehearsal", "servers", "lm", "model", "lm-for"]);
  const forStudy = optionsOf(given, [
    "trainset",
    "variant",
    "judge-lm",
    "judge-model",
    "allow-world-changes",
  ]);
  const evaluate = ["eval", given.study, "--split", "test", "--candidate", artifact ?? ""];
  const rows: readonly (readonly [words: readonly string[], about: string])[] = [
    ...(artifact === null
      ? []
      : ([
          [[...evaluate, ...forStudy, ...forProgram], "what it still fails on test"],
          [["serve", artifact, ...forProgram], "as a chat model"],
        ] as const)),
    [["show", runFolder, "--html", "report.html"], "each candidate, on one page"],
    [["compare", runFolder, "OTHER_RUN"], "beside another run"],
  ];
  const lines = rows.map(([words, about]) => [shellWords(["espalier", ...words]), about] as const);
  const width = Math.min(58, Math.max(...lines.map(([command]) => command.length)));
  return ["next", ...lines.map(([command, about]) => `  ${command.padEnd(width)}  # ${about}`)];
}

function optionsOf(given: Given, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const value = given[name];
    if (typeof value === "string") return [`--${name}`, value];
    return value === true ? [`--${name}`] : [];
  });
}
