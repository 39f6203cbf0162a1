import type { AST } from "@eslint-community/regexpp";
import { RegExpParser } from "@eslint-community/regexpp";

/** What a backtracking engine does next; every instruction is one step. */
export type Instruction =
  | { readonly kind: "character"; readonly accepts: Acceptance; readonly isBackward: boolean }
  | { readonly kind: "split"; readonly first: number; readonly second: number }
  | { readonly kind: "jump"; readonly to: number }
  | { readonly kind: "save"; readonly slot: number }
  | { readonly kind: "moved"; readonly slot: number }
  | {
      readonly kind: "place";
      readonly assertion: "start" | "end" | "word";
      readonly negate: boolean;
    }
  | { readonly kind: "look"; readonly code: readonly Instruction[]; readonly negate: boolean }
  | { readonly kind: "reference"; readonly group: number; readonly isBackward: boolean }
  | { readonly kind: "done" };

/** Whether one character is accepted. */
export type Acceptance = (character: string) => boolean;

export interface CompiledExpression {
  readonly code: readonly Instruction[];
  readonly isUnicode: boolean;
  readonly isMultiline: boolean;
  readonly isCaseless: boolean;
  /** How many places the instructions keep. */
  readonly slots: number;
}

export function parsed({ source, flags }: RegExp): AST.Pattern {
  return new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  });
}

/** An expression as instructions for a backtracking engine, in the order that V8's tries things. */
export function compileExpression(expression: RegExp): CompiledExpression {
  const pattern = parsed(expression);
  const groups: AST.CapturingGroup[] = [];
  collectGroups(pattern.alternatives, groups);
  let slots = 2 * groups.length;
  const accepts = acceptance(expression.flags);

  const ofAlternatives = (
    alternatives: readonly AST.Alternative[],
    isBackward: boolean,
    code: Instruction[],
  ): void => {
    const jumps: number[] = [];
    for (const [index, { elements }] of alternatives.entries()) {
      const split = code.length;
      if (index < alternatives.length - 1) code.push({ kind: "done" });
      for (const element of isBackward ? elements.toReversed() : elements) {
        ofElement(element, isBackward, code);
      }
      if (index === alternatives.length - 1) continue;
      jumps.push(code.length);
      code.push({ kind: "done" });
      code[split] = { kind: "split", first: split + 1, second: code.length };
    }
    for (const jump of jumps) code[jump] = { kind: "jump", to: code.length };
  };

  const ofElement = (element: AST.Element, isBackward: boolean, code: Instruction[]): void => {
    switch (element.type) {
      case "Group":
        ofAlternatives(element.alternatives, isBackward, code);
        return;
      case "CapturingGroup": {
        const open = 2 * groups.indexOf(element);
        const isKept = element.references.length > 0;
        if (isKept) code.push({ kind: "save", slot: isBackward ? open + 1 : open });
        ofAlternatives(element.alternatives, isBackward, code);
        if (isKept) code.push({ kind: "save", slot: isBackward ? open : open + 1 });
        return;
      }
      case "Quantifier":
        ofQuantifier(element, isBackward, code);
        return;
      case "Assertion":
        ofAssertion(element, code);
        return;
      case "Backreference": {
        const [group] = [element.resolved].flat();
        if (group === undefined) throw new Error(`No group for ${element.raw}`);
        code.push({ kind: "reference", group: groups.indexOf(group), isBackward });
        return;
      }
      default:
        code.push({ kind: "character", accepts: accepts(element.raw), isBackward });
    }
  };

  const ofAssertion = (assertion: AST.Assertion, code: Instruction[]): void => {
    if (assertion.kind === "lookahead" || assertion.kind === "lookbehind") {
      const inner: Instruction[] = [];
      ofAlternatives(assertion.alternatives, assertion.kind === "lookbehind", inner);
      inner.push({ kind: "done" });
      code.push({ kind: "look", code: inner, negate: assertion.negate });
    } else {
      const negate = assertion.kind === "word" && assertion.negate;
      code.push({ kind: "place", assertion: assertion.kind, negate });
    }
  };

  const ofQuantifier = (
    { element, min, max, greedy }: AST.Quantifier,
    isBackward: boolean,
    code: Instruction[],
  ): void => {
    const choice = (inside: number, outside: number): Instruction => ({
      kind: "split",
      first: greedy ? inside : outside,
      second: greedy ? outside : inside,
    });
    for (let count = 0; count < min; count++) ofElement(element, isBackward, code);
    if (max === Infinity) {
      const start = code.length;
      const slot = canBeEmpty(element) ? slots++ : undefined;
      code.push({ kind: "done" });
      if (slot !== undefined) code.push({ kind: "save", slot });
      ofElement(element, isBackward, code);
      if (slot !== undefined) code.push({ kind: "moved", slot });
      code.push({ kind: "jump", to: start });
      code[start] = choice(start + 1, code.length);
      return;
    }
    const starts: number[] = [];
    for (let count = min; count < max; count++) {
      starts.push(code.length);
      code.push({ kind: "done" });
      ofElement(element, isBackward, code);
    }
    for (const start of starts) code[start] = choice(start + 1, code.length);
  };

  const code: Instruction[] = [];
  ofAlternatives(pattern.alternatives, false, code);
  code.push({ kind: "done" });
  return {
    code,
    isUnicode: expression.unicode || expression.unicodeSets,
    isMultiline: expression.multiline,
    isCaseless: expression.ignoreCase,
    slots,
  };
}

function canBeEmpty(element: AST.Element): boolean {
  if (element.type === "Assertion" || element.type === "Backreference") return true;
  if (element.type === "Quantifier") return element.min === 0 || canBeEmpty(element.element);
  return (
    "alternatives" in element &&
    element.alternatives.some(({ elements }) => elements.every(canBeEmpty))
  );
}

function collectGroups(node: readonly AST.Alternative[], groups: AST.CapturingGroup[]): void {
  const visit = (element: AST.Element): void => {
    if (element.type === "CapturingGroup") groups.push(element);
    if (element.type === "Quantifier") visit(element.element);
    else if ("alternatives" in element) collectGroups(element.alternatives, groups);
  };
  for (const { elements } of node) elements.forEach(visit);
}

/** Asks the engine itself about one character at a time, once for each. */
function acceptance(flags: string): (raw: string) => Acceptance {
  const kept = flags.replaceAll(/[gymd]/g, "");
  return (raw) => {
    const one = new RegExp(`^(?:${raw})$`, kept);
    const known = new Map<string, boolean>();
    return (character) => {
      const answer = known.get(character) ?? one.test(character);
      known.set(character, answer);
      return answer;
    };
  };
}
