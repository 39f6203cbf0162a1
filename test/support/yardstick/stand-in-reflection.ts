import type { Proposer } from "espalier/optimizer";
import { customProposer } from "espalier/optimizer";

/** Rewrites a text by what is said of it, and counts. */
export interface StandInWriter {
  readonly calls: number;
  write(text: string, said: readonly string[]): string;
}

/**
 * The yardstick's stand-in for a reflection LM: applies the first directive that changes the text;
 * one call in four, by a hash of task and call number, it drops the last keyword instead.
 */
export function standInWriter(
  taskSeed: number,
  { neverRepeats = false }: { readonly neverRepeats?: boolean } = {},
): StandInWriter {
  let calls = 0;
  return {
    get calls() {
      return calls;
    },
    write: (text, said) =>
      standInText(text, said, { taskSeed, call: calls++, actsOn: 1, neverRepeats }),
  };
}

/** What the stand-in writes in call number `call`; it acts on the first `actsOn` directives. */
export function standInText(
  text: string,
  said: readonly string[],
  {
    taskSeed,
    call,
    actsOn,
    neverRepeats = false,
  }: {
    readonly taskSeed: number;
    readonly call: number;
    readonly actsOn: number;
    readonly neverRepeats?: boolean;
  },
): string {
  const words = text.split(/\s+/).filter((word) => !word.startsWith("filler"));
  if (fnv1a32(`${taskSeed}:${call}`) % 4 === 0) {
    const last = words.findLastIndex((word) => word.startsWith("kw_"));
    if (last >= 0) words.splice(last, 1);
  } else {
    let done = 0;
    for (const [, operation, keyword = ""] of said.flatMap((one) => [
      ...one.matchAll(/(ADD|REMOVE) (kw_[qa][0-9]{2})/g),
    ])) {
      if (done >= actsOn) break;
      if (operation === "ADD" && !words.includes(keyword)) words.push(keyword);
      else if (operation === "REMOVE" && words.includes(keyword)) {
        words.splice(words.indexOf(keyword), 1);
      } else continue;
      done++;
    }
  }
  return [...words, ...(neverRepeats ? [`filler${call + 1}`] : [])].join(" ");
}

/** The stand-in as a proposer. */
export function standInReflection(
  taskSeed: number,
  options: { readonly neverRepeats?: boolean } = {},
): Proposer & { readonly calls: number } {
  const writer = standInWriter(taskSeed, options);
  const proposer = customProposer("stand-in", ({ component, cases }) =>
    writer.write(
      component.value,
      cases.map(({ feedback }) => feedback),
    ),
  );
  return {
    ...proposer,
    get calls() {
      return writer.calls;
    },
  };
}

/** 32-bit FNV-1a of a text's UTF-8 bytes. */
export function fnv1a32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}
