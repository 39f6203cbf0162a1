import type { PredictorStep, RolloutLesson } from "../../evaluation/index.ts";
import { cutToBytes } from "../text/cut-to-bytes.ts";
import { fairShares } from "../text/fair-shares.ts";
import { shownValue } from "../text/shown-value.ts";

const mostSteps = 6;
const bytesPerStep = 400;
const bytesOfOutput = 600;

/**
 * Summarizes in a few lines what came after a call: the output of each later step and the program's
 * final output. Empty outside programs, where calls have no order.
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
  if (outputs === null) {
    return `failed: ${cutToBytes(flat(failure?.message ?? "no reply"), bytesPerStep)}`;
  }
  // A step's reasoning is not part of what it passed on.
  const { reasoning: _, ...passedOn } = outputs;
  const fields = Object.entries(passedOn).map(
    ([name, value]) => `${name}: ${flat(shownValue(value))}`,
  );
  const shares = fairShares(
    fields.map((field) => ({ need: Buffer.byteLength(field) })),
    bytesPerStep,
  );
  return `wrote ${fields.map((field, place) => cutToBytes(field, shares[place] ?? 0)).join("; ")}`;
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
