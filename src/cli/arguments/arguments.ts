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
      "Base URL of an OpenAI-compatible server, or several between commas, or `rehearsal`: the embedded stand-in",
    valueHint: "URL",
    default: "rehearsal",
  },
  model: {
    type: "string",
    description: "Model to ask for; may be left out when the server has one",
    valueHint: "NAME",
  },
  seed: { type: "string", description: "Seed of the run", valueHint: "N", default: "0" },
  concurrency: {
    type: "string",
    description: "Most calls at a time; changes no result",
    valueHint: "N",
    default: "16",
  },
  attempts: {
    type: "string",
    description: "Most requests for one call while the server fails",
    valueHint: "N",
    default: "12",
  },
  "max-retry-after": {
    type: "string",
    description: "Longest wait that the server may ask for (Retry-After), in seconds",
    valueHint: "S",
    default: "300",
  },
  "stall-timeout": {
    type: "string",
    description: "Longest silence of the server, in seconds",
    valueHint: "S",
    default: "600",
  },
  cache: {
    type: "string",
    description: "File of the reply cache, or `none`",
    valueHint: "FILE",
    default: ".espalier/cache.sqlite",
  },
  candidate: {
    type: "string",
    description: "JSON file of components to put in place of the program's own",
    valueHint: "FILE",
  },
  json: { type: "boolean", description: "End with one JSON line for machines", default: false },
} as const;

/** Of the commands that answer people: a stand-in answers only if it is named. */
export const answeringLmArgument = {
  type: "string",
  description:
    "Base URL of an OpenAI-compatible server, or several between commas; or `rehearsal`, which labels each answer",
  valueHint: "URL",
} as const;

/** Of every command that asks chat models. */
export const maxInputArgument = {
  type: "string",
  description: "Most characters of a question or turn, where its field has no `max`",
  valueHint: "N",
  default: "32768",
} as const;

/** Arguments of every command that scores with a metric. */
export const judgeArguments = {
  "judge-lm": {
    type: "string",
    description:
      "Base URL of the server that judges, for a metric that asks an LM; without it --lm",
    valueHint: "URL",
  },
  "judge-model": { type: "string", description: "Model that judges", valueHint: "NAME" },
} as const;

// oxlint-disable-next-line typescript/no-explicit-any -- citty's type names each command's own arguments, which nobody else reads
export type AnyCommand = CommandDef<any>;

/** A whole number of at least `min`. */
export function wholeNumber(option: string, given: string, min: number): number {
  const value = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(value) && value >= min) return value;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `--${option} cannot take this value`,
    expected: `a whole number of at least ${min}`,
    got: `"${given}"`,
  });
}

/** The option that lets artifacts of the rehearsal LM in. */
export const rehearsalArguments = {
  "allow-rehearsal-artifacts": {
    type: "boolean",
    description: "Let a real LM run artifacts that were compiled with the rehearsal LM",
    default: false,
  },
} as const;
