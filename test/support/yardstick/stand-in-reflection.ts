import type { Proposer } from "espalier/optimizer";
import { customProposer } from "espalier/optimizer";

/**
 * The yardstick's stand-in for a reflection LM: applies the first directive that changes the text; one
 * call in four, by a hash of task and call number, it drops the last keyword instead.
 */
export function standInReflection(
  taskSeed: number,
  { neverRepeats = false }: { readonly neverRepeats?: boolean } = {},
): Proposer & { readonly calls: number } {
  let calls = 0;
  const proposer = customProposer("stand-in", ({ component, cases }) => {
    const words = component.value.split(/\s+/).filter((word) => !word.startsWith("filler"));
    const isBad = fnv1a32(`${taskSeed}:${calls}`) % 4 === 0;
    calls++;
    const directives = cases.flatMap(({ feedback }) => [
      ...feedback.matchAll(/(ADD|REMOVE) (kw_[qa][0-9]{2})/g),
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
  });
  return {
    ...proposer,
    get calls() {
      return calls;
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
