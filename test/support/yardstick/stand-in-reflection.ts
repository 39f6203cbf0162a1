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
    write: (text, said) => {
      const words = text.split(/\s+/).filter((word) => !word.startsWith("filler"));
      const isBad = fnv1a32(`${taskSeed}:${calls}`) % 4 === 0;
      calls++;
      const directives = said.flatMap((one) => [
        ...one.matchAll(/(ADD|REMOVE) (kw_[qa][0-9]{2})/g),
      ]);
      if (isBad) {
        const last = words.findLastIndex((word) => word.startsWith("kw_"));
        if (last >= 0) words.splice(last, 1);
      } else {
        for (const [, operation, keyword = ""] of directives) {
          if (operation === "ADD" && !words.includes(keyword)) words.push(keyword);
          else if (operation === "REMOVE" && words.includes(keyword)) {
            words.splice(words.indexOf(keyword), 1);
          } else continue;
          break;
        }
      }
      return [...words, ...(neverRepeats ? [`filler${calls}`] : [])].join(" ");
    },
  };
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
