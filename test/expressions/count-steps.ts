import type { CompiledExpression, Instruction } from "./compile-expression.ts";

interface Thread {
  readonly index: number;
  readonly at: number;
  readonly slots: readonly (number | undefined)[];
}

/**
 * The steps of a backtracking engine that looks for all matches of an expression in a text, each
 * from the end of the one before, as `replaceAll` and `split` do. It counts no further than
 * `limit`.
 */
export function countSteps(
  { code, isUnicode, isMultiline, isCaseless, slots: slotCount }: CompiledExpression,
  text: string,
  limit: number,
): number {
  const characters = isUnicode ? Array.from(text) : text.split("");
  let steps = 0;

  const isWord = (at: number): boolean => /^\w$/.test(characters[at] ?? "");
  const isLineEnd = (at: number): boolean => /^[\n\r\u2028\u2029]$/.test(characters[at] ?? "");
  const holds = (assertion: "start" | "end" | "word", at: number): boolean => {
    if (assertion === "word") return isWord(at - 1) !== isWord(at);
    if (assertion === "start") return at === 0 || (isMultiline && isLineEnd(at - 1));
    return at === characters.length || (isMultiline && isLineEnd(at));
  };

  /** The first way through from a place, or undefined. */
  const run = (
    program: readonly Instruction[],
    start: number,
    slotsBefore: Thread["slots"],
  ): Thread | undefined => {
    const waiting: Thread[] = [{ index: start, at: 0, slots: slotsBefore }];
    for (let thread = waiting.pop(); thread !== undefined; thread = waiting.pop()) {
      let { index, at, slots } = thread;
      for (let isAlive = true; isAlive;) {
        const step = program[at];
        if (step === undefined || steps >= limit) return undefined;
        steps++;
        at++;
        switch (step.kind) {
          case "done":
            return { index, at, slots };
          case "jump":
            at = step.to;
            break;
          case "split":
            waiting.push({ index, at: step.second, slots });
            at = step.first;
            break;
          case "save":
            slots = slots.with(step.slot, index);
            break;
          case "moved":
            isAlive = slots[step.slot] !== index;
            break;
          case "place":
            isAlive = holds(step.assertion, index) !== step.negate;
            break;
          case "character": {
            const character = characters[step.isBackward ? index - 1 : index];
            isAlive = character !== undefined && step.accepts(character);
            index += step.isBackward ? -1 : 1;
            break;
          }
          case "look": {
            const found = run(step.code, index, slots);
            isAlive = (found !== undefined) !== step.negate;
            if (found !== undefined && !step.negate) slots = found.slots;
            break;
          }
          case "reference": {
            const [from, to] = [slots[2 * step.group], slots[2 * step.group + 1]];
            const wanted = from === undefined || to === undefined ? [] : characters.slice(from, to);
            const begin = step.isBackward ? index - wanted.length : index;
            const got = characters.slice(Math.max(0, begin), begin + wanted.length);
            const same = (text: readonly string[]): string =>
              isCaseless ? text.join("").toLowerCase() : text.join("");
            steps += wanted.length;
            isAlive = begin >= 0 && same(got) === same(wanted);
            index = step.isBackward ? begin : index + wanted.length;
          }
        }
      }
    }
    return undefined;
  };

  const noSlots = Array.from({ length: slotCount }, () => undefined);
  for (let start = 0; start <= characters.length && steps < limit;) {
    const found = run(code, start, noSlots);
    start = found === undefined || found.index === start ? start + 1 : found.index;
  }
  return steps;
}
