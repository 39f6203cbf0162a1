import type { Proposer } from "espalier/optimizer";
import { customProposer } from "espalier/optimizer";

/**
 * What the yardstick's mock for a reflection LM writes in call number `call`: it acts on the
 * first `actsOn` directives that change the text; one call in four, by a hash of task and call
 * number, it drops the last keyword instead.
 */
export function mockText(
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

/** The mock as a proposer that counts its calls. */
export function mockReflection(taskSeed: number): Proposer & { readonly calls: number } {
  let calls = 0;
  const proposer = customProposer("mock", ({ component, cases }) => {
    const said = cases.map(({ feedback }) => feedback);
    return mockText(component.value, said, { taskSeed, call: calls++, actsOn: 1 });
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
