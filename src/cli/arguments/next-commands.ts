import { relative } from "node:path";
import { capOptions } from "./option-memory.ts";
import { espalierCommand } from "../terminal/shell-command.ts";

/** What was given on the command line, by option; the study under `study`. */
type Given = Readonly<Record<string, unknown>> & { readonly study: string };

/** What to do with a result, as commands that run as they are printed. */
export function nextCommands(
  given: Given,
  {
    runFolder,
    artifact,
    isGain,
    isRehearsed,
    seed,
    metricCalls,
  }: {
    readonly runFolder: string;
    readonly artifact: string | null;
    /** Whether test showed that the artifact is worth serving. */
    readonly isGain: boolean;
    /** Whether a stand-in plays the LM, whose server may end with this command. */
    readonly isRehearsed: boolean;
    readonly seed: number;
    /** The budget. */
    readonly metricCalls: number | undefined;
  },
): readonly string[] {
  const forProgram = [
    ...(isRehearsed && given["rehearsal"] !== true ? ["--lm", "rehearsal"] : []),
    ...optionsOf(given, [
      "rehearsal",
      "servers",
      ...(isRehearsed ? [] : ["lm", "model"]),
      "lm-for",
    ]),
  ];
  const forStudy = optionsOf(given, ["trainset", "judge-lm", "allow-world-changes"]);
  const all = [...forStudy, ...forProgram];
  const isElsewhere = artifact !== null && relative(".", artifact).startsWith("..");
  const page = [
    ["show", runFolder, "--html", "report.html"],
    "each candidate, on one page",
  ] as const;
  const rows: readonly (readonly [words: readonly string[], about: string])[] =
    artifact !== null && isGain
      ? [
          [
            ["eval", given.study, "--split", "test", "--candidate", artifact, ...all],
            "what it still fails on test",
          ],
          [
            ["serve", artifact, ...(isElsewhere ? ["--study", given.study] : []), ...forProgram],
            "as a chat model",
          ],
          page,
        ]
      : [
          [["eval", given.study, "--split", "val", ...all], "what the program fails on val"],
          [
            [
              "optimize",
              given.study,
              ...all,
              ...optionsOf(given, searchOptions),
              ...(metricCalls === undefined ? [] : ["--budget", String(2 * metricCalls)]),
              "--seed",
              String(seed + 1),
            ],
            `another seed${metricCalls === undefined ? "" : ", twice the budget"}`,
          ],
          page,
        ];
  return ["next", ...rows.map(([words, about]) => `  ${espalierCommand(words)}  # ${about}`)];
}

const searchOptions = [
  "optimizer",
  "candidate",
  "reflection-lm",
  "search-repeats",
  "repeats",
  ...capOptions.filter((name) => name !== "budget"),
];

/** Options that were given, as words; one with its usual value says nothing. */
function optionsOf(given: Given, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const value = given[name];
    if (name.endsWith("repeats") && value === "1") return [];
    if (typeof value === "string") return [`--${name}`, value];
    return value === true ? [`--${name}`] : [];
  });
}
