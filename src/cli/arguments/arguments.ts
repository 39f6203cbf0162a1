import type { CommandDef } from "citty";
import { EspalierError } from "../../errors/index.ts";

/** Arguments of every command that takes a study. */
export const studyArguments = {
  study: {
    type: "positional",
    description: "File that default-exports a study",
    valueHint: "STUDY",
    required: true,
  },
} as const;

/** Arguments of every command that runs a program. */
export const lmArguments = {
  lm: {
    type: "string",
    description:
      "Base URL of an OpenAI-compatible server, several separated by commas, or `rehearsal`, the embedded stand-in",
    valueHint: "URL",
    default: "rehearsal",
  },
  model: {
    type: "string",
    description: "Model to use; optional if the server offers only one",
    valueHint: "NAME",
  },
  seed: { type: "string", description: "Seed of the run", valueHint: "N", default: "0" },
  concurrency: {
    type: "string",
    description: "Maximum number of concurrent calls; does not change results",
    valueHint: "N",
    default: "16",
  },
  patience: {
    type: "string",
    description: "How long to keep asking while the server is away, in minutes",
    valueHint: "MIN",
    default: "10",
  },
  "max-retry-after": {
    type: "string",
    description: "Longest Retry-After to honor, in seconds",
    valueHint: "S",
    default: "300",
  },
  "idle-timeout": {
    type: "string",
    description: "Longest time without data from the server, in seconds",
    valueHint: "S",
    default: "600",
  },
  cache: {
    type: "string",
    description: "Reply cache file, or `none`",
    valueHint: "FILE",
    default: ".espalier/cache.sqlite",
  },
  candidate: {
    type: "string",
    description: "JSON file of components that replace the program's own",
    valueHint: "FILE",
  },
  json: { type: "boolean", description: "End the output with one line of JSON", default: false },
} as const;

/** For commands that answer people: a stand-in answers only if it is named explicitly. */
export const answeringLmArgument = {
  type: "string",
  description:
    "Base URL of an OpenAI-compatible server, several separated by commas, or `rehearsal`, which labels each answer",
  valueHint: "URL",
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
    description: "Base URL of the server for metrics that use an LM as judge; defaults to --lm",
    valueHint: "URL",
  },
  "judge-model": { type: "string", description: "Model to judge with", valueHint: "NAME" },
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

/** Parses an option in minutes, at least 0, as milliseconds. */
export function minutesInMs(option: string, given: string): number {
  const value = Number(given);
  if (given.trim() !== "" && Number.isFinite(value) && value >= 0)
    return Math.round(value * 60_000);
  throw new EspalierError({
    code: "usage-invalid",
    problem: `Invalid value for --${option}`,
    expected: "minutes, at least 0, such as 10 or 0.5",
    got: `"${given}"`,
  });
}

/** The option that accepts artifacts compiled with the rehearsal LM. */
export const rehearsalArguments = {
  "allow-rehearsal-artifacts": {
    type: "boolean",
    description: "Allow a real LM to run artifacts that were compiled with the rehearsal LM",
    default: false,
  },
} as const;
