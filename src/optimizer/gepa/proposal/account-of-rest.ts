import type { JsonObject } from "../../../contract/index.ts";
import type { PredictorStep, RolloutLesson } from "../../evaluation/index.ts";
import { cutToBytes } from "./cut-to-bytes.ts";
import { shownValue } from "./shown-value.ts";

const mostSteps = 6;
const bytesPerStep = 240;
const bytesOfOutput = 600;

/**
 * What came after a call, in a few lines: what each later step wrote, and what the program gave in the
 * end. Empty for what is no program, where nothing comes after anything.
 */
export function accountOfRest(
  later: readonly PredictorStep[],
  { output, failure }: Pick<RolloutLesson, "output" | "failure"> = {},
): string {
  if (output === undefined && failure === undefined) return "";
  const shown = later.slice(0, mostSteps);
  const left = later.length - shown.length;
  return [
    ...shown.map((step) => `- \`${step.path}\` ${whatItDid(step)}`),
    ...(left === 0 ? [] : [`- ${left} more ${left === 1 ? "call" : "calls"} of later steps`]),
    ...(output === undefined
      ? ["- the program gave nothing: it failed"]
      : [`- the program gave ${cutToBytes(flat(output), bytesOfOutput)}`]),
  ].join("\n");
}

function whatItDid({ outputs, failure }: PredictorStep): string {
  if (outputs === null)
    return `failed: ${cutToBytes(flat(failure?.message ?? "no reply"), bytesPerStep)}`;
  return `wrote ${cutToBytes(fieldsOf(outputs), bytesPerStep)}`;
}

function fieldsOf(values: JsonObject): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${flat(shownValue(value))}`)
    .join("; ");
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
