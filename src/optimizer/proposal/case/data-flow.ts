import type { Json } from "../../../contract/index.ts";
import type { PredictorStep } from "../../evaluation/index.ts";

/** How a call connects to other calls of its run. */
export interface Wiring {
  /** By input: the steps that wrote it, or part of it. */
  readonly from: Readonly<Record<string, readonly string[]>>;
  /** By output: the later steps that used it. */
  readonly to: Readonly<Record<string, readonly string[]>>;
}

/** Shorter values match by accident. In UTF-16 code units of their JSON. */
const leastInformative = 12;

/**
 * Infers from values alone which steps a call took inputs from and which used its outputs: an input
 * must contain an earlier output, or an item of it, verbatim. Values that a step itself received do
 * not count as its output. A value that the program rewrote on the way is not found.
 */
export function wiringOf(steps: readonly PredictorStep[], place: number): Wiring {
  const step = steps[place];
  if (step === undefined || steps.length < 2) return { from: {}, to: {} };
  const earlier = steps.slice(0, place);
  const later = steps.slice(place + 1);
  const from = Object.entries(step.inputs).map(([name, value]) => {
    const held = JSON.stringify(value);
    return [name, namesOf(earlier.filter((other) => writes(other).some(isIn(held))))] as const;
  });
  const to = Object.entries(step.outputs ?? {}).map(([name, value]) => {
    const written = informativePartsOf(step, value);
    return [
      name,
      namesOf(later.filter(({ inputs }) => written.some(isIn(JSON.stringify(inputs))))),
    ] as const;
  });
  return { from: known(from), to: known(to) };
}

function writes(step: PredictorStep): readonly string[] {
  return Object.values(step.outputs ?? {}).flatMap((value) => informativePartsOf(step, value));
}

/** A value, or its items, as JSON; without values that the step itself received. */
function informativePartsOf({ inputs }: PredictorStep, value: Json): readonly string[] {
  const given = JSON.stringify(inputs);
  return (Array.isArray(value) ? value : [value])
    .map((part) =>
      typeof part === "string" ? JSON.stringify(part).slice(1, -1) : JSON.stringify(part),
    )
    .filter((part) => part.length >= leastInformative && !given.includes(part));
}

function isIn(held: string): (part: string) => boolean {
  return (part) => held.includes(part);
}

function namesOf(steps: readonly PredictorStep[]): readonly string[] {
  return [...new Set(steps.map(({ predictor }) => predictor))];
}

function known(
  entries: readonly (readonly [string, readonly string[]])[],
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(entries.filter(([, names]) => names.length > 0));
}
