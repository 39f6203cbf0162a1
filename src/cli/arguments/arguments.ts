import type { CommandDef } from "citty";
import { EspalierError } from "../../errors/index.ts";

export const jsonArgument = {
  json: { type: "boolean", description: "Print JSON", default: false },
} as const;

/** For every command that takes a study. */
export const trainsetArgument = {
  type: "string",
  description: "Use the study's variant for this trainset",
  valueHint: "NAME",
} as const;

/** Where an artifact's program is. */
export const artifactProgramArguments = {
  study: {
    type: "string",
    description: "File with the artifact's program, if not the one recorded in the artifact",
    valueHint: "STUDY",
  },
  "trust-module": {
    type: "boolean",
    description: "Allow the artifact's program to be outside its project or in a package",
    default: false,
  },
} as const;

/** Arguments of every command that takes a study and nothing else. */
export const studyArguments = {
  study: {
    type: "positional",
    description: "File that default-exports a study",
    valueHint: "STUDY",
    required: true,
  },
  trainset: trainsetArgument,
} as const;

/** Arguments of every command that takes its parts from servers. */
export const serversArguments = {
  servers: {
    type: "string",
    description:
      "File that assigns servers to parts, or `none`; defaults to espalier.servers.json in the working folder",
    valueHint: "FILE",
  },
  rehearsal: {
    type: "boolean",
    description: "Use a mock for each part not set by another option; every result lists the mocks",
    default: false,
  },
  "lm-for": {
    type: "string",
    description:
      "LMs for individual predictors, comma-separated: each a name from the servers file, or URL#MODEL",
    valueHint: "PREDICTOR=LM,...",
  },
} as const;

/** Arguments of every command that runs a program. */
export const lmArguments = {
  lm: {
    type: "string",
    description:
      "Base URL of an OpenAI-compatible server (or several, comma-separated or listed in @FILE), with #MODEL if needed; a name from the servers file; `local` or local:MODEL, in this process; or `rehearsal`, a mock",
    valueHint: "LM",
  },
  ...serversArguments,
  model: {
    type: "string",
    description: "Model to use; optional if the server offers only one",
    valueHint: "NAME",
  },
  seed: { type: "string", description: "Seed of the run", valueHint: "N", default: "0" },
  concurrency: {
    type: "string",
    description: "Maximum number of concurrent calls across all servers; does not change results",
    valueHint: "N",
    default: "16",
  },
  patience: {
    type: "string",
    description: "Minutes to keep retrying while the server is unavailable",
    valueHint: "MIN",
    default: "10",
  },
  "max-completion-tokens": {
    type: "string",
    description:
      "Maximum tokens in each reply to the program, including thoughts; can only lower the predictors' limits",
    valueHint: "N",
  },
  cache: {
    type: "string",
    description: "Reply cache file, or `none`",
    valueHint: "FILE",
    default: ".espalier/cache.sqlite",
  },
  "cache-only": {
    type: "boolean",
    description:
      "Answer LM calls only from the cache; examples that need an uncached call stay unscored",
    default: false,
  },
  candidate: {
    type: "string",
    description: "Artifact, or JSON file of components, that replaces the program's own components",
    valueHint: "FILE",
  },
  json: { type: "boolean", description: "Print JSON as the last line", default: false },
} as const;

/** For every command that serves or queries chat models. */
export const maxInputArgument = {
  type: "string",
  description: "Maximum characters in a question or turn whose field has no `max`",
  valueHint: "N",
  default: "32768",
} as const;

/** Arguments of every command that scores with a metric. */
export const judgeArguments = {
  "judge-lm": {
    type: "string",
    description:
      "LM for metrics that use an LM judge; takes the same values as --lm and defaults to it",
    valueHint: "LM",
  },
} as const;

/** Arguments of every command that optimizes. */
export const reflectionArguments = {
  "reflection-lm": {
    type: "string",
    description: "LM for reflection; takes the same values as --lm and defaults to it",
    valueHint: "LM",
  },
} as const;

// oxlint-disable-next-line typescript/no-explicit-any -- citty's type is generic in each command's arguments, which only the command reads
export type AnyCommand = CommandDef<any>;

/**
 * Parses an option as a whole number of at least `min`.
 *
 * @param others what else the option accepts, for the error
 */
export function wholeNumber(option: string, given: string, min: number, others = ""): number {
  const value = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(value) && value >= min) return value;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `Invalid value for --${option}`,
    expected: `a whole number of at least ${min}${others}`,
    got: `"${given}"`,
  });
}

/** Which numbers an option accepts, and how its error says so. */
export interface NumberRule {
  readonly accepts: (value: number) => boolean;
  readonly expected: string;
}

/** Parses an option as a finite number. */
export function finiteNumber(option: string, given: string, rule: NumberRule): number {
  const value = Number(given);
  if (given.trim() !== "" && Number.isFinite(value) && rule.accepts(value)) return value;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `Invalid value for --${option}`,
    expected: rule.expected,
    got: `"${given}"`,
  });
}

/** Parses an option in minutes as milliseconds. */
export function minutesInMs(
  option: string,
  given: string,
  rule: NumberRule = fromZeroMinutes,
): number {
  return finiteNumber(option, given, rule) * 60_000;
}

const fromZeroMinutes: NumberRule = {
  accepts: (minutes) => minutes >= 0,
  expected: "minutes, at least 0, such as 10 or 0.5",
};

/** The option that accepts artifacts compiled with the rehearsal LM. */
export const rehearsalArguments = {
  "allow-rehearsal-artifacts": {
    type: "boolean",
    description: "Allow a real LM to run artifacts that were compiled with the rehearsal LM",
    default: false,
  },
} as const;
