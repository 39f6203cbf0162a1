import { cutToBytes } from "../text/cut-to-bytes.ts";
import { plainText } from "../text/plain-text.ts";
import type { FailureMode } from "./failure-modes.ts";

/** A mode in a reply, with the numbers of its examples. */
export interface NamedMode extends FailureMode {
  readonly examples: readonly number[];
}

export type Naming =
  | {
      readonly ok: true;
      readonly modes: readonly FailureMode[];
      /** The mode of each failure, in their order. */
      readonly modeOf: readonly (string | null)[];
    }
  /** Why the reply cannot be used, as a sentence. */
  | { readonly ok: false; readonly reason: string };

const mostBytes = { name: 100, description: 400 };

/**
 * Reads a reply on `count` failures: a name that is known, whatever its case, is that mode; a
 * number counts for the first mode that lists it, and numbers of no failure are ignored. A reply
 * cannot be used if it names more than `most` modes or leaves out half of the failures.
 */
export function readNaming(
  reply: readonly NamedMode[],
  {
    count,
    most,
    known,
  }: { readonly count: number; readonly most: number; readonly known: readonly FailureMode[] },
): Naming {
  const modes = new Map(known.map((mode) => [keyOf(mode.name), mode]));
  const modeOf = Array.from({ length: count }, (): string | null => null);
  const used = new Set<FailureMode>();
  for (const { name: given, description, examples } of reply) {
    const name = cutToBytes(plainText(given), mostBytes.name);
    if (name === "") continue;
    const named = { name, description: cutToBytes(plainText(description), mostBytes.description) };
    const mode = modes.get(keyOf(name)) ?? named;
    const own = examples.filter((number) => modeOf[number - 1] === null);
    if (own.length === 0) continue;
    modes.set(keyOf(name), mode);
    used.add(mode);
    for (const number of own) modeOf[number - 1] = mode.name;
  }
  if (used.size > most) {
    return { ok: false, reason: `It names ${used.size} modes; at most ${most} are asked for.` };
  }
  const left = modeOf.filter((name) => name === null).length;
  if (2 * left >= count) {
    return {
      ok: false,
      reason: `It puts ${left} of the ${count} examples into no mode: list the number of each example under one mode.`,
    };
  }
  return { ok: true, modes: [...used], modeOf };
}

function keyOf(name: string): string {
  return name.toLowerCase();
}
