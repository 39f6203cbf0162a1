import type { AST } from "@eslint-community/regexpp";
import { parsed } from "./compile-expression.ts";
import { samplerOf } from "./sampler.ts";

/** A text of about the given length, made to be tried again and again. */
export type Attack = (length: number) => string;

/** Repetitions up to this are the constant of an expression, not its growth. */
const maxConstant = 8;

/**
 * Texts on which an expression takes the most steps: what stands before a repetition, the repeated
 * part many times, and an end that lets the match fail; the same with two such runs; and the
 * beginnings of matches one after the other. None where nothing repeats.
 */
export function attacksOn(expression: RegExp): readonly Attack[] {
  const pattern = parsed(expression);
  const sampler = samplerOf(pattern, expression.flags);
  const stems = new Map<string, readonly [prefix: string, pump: string]>();
  const visit = (alternatives: readonly AST.Alternative[], before: string): void => {
    for (const { elements } of alternatives) {
      let prefix = before;
      for (const element of elements) {
        visitElement(element, prefix);
        prefix += sampler.shortest(element);
      }
    }
  };
  const visitElement = (element: AST.Element, prefix: string): void => {
    if (element.type === "Quantifier") {
      if (element.max > maxConstant) {
        for (const pump of sampler.variants(element.element)) {
          stems.set(`${prefix}\0${pump}`, [prefix, pump]);
        }
      }
      visitElement(element.element, prefix);
    } else if ("alternatives" in element) visit(element.alternatives, prefix);
  };
  visit(pattern.alternatives, "");
  const attacks = [...stems.values()].flatMap(([prefix, pump]) => attacksFrom(prefix, pump));
  const byText = new Map(attacks.map((attack) => [attack(100), attack]));
  byText.delete("");
  return [...byText.values()];
}

/** What may make a match fail where it stands: a control character, a letter, ends of lines. */
const breaks = ["", "\0", "x", "\n", "\r", "\n\0"];

function attacksFrom(prefix: string, pump: string): readonly Attack[] {
  const filled = (part: string, length: number): string =>
    part.repeat(Math.ceil(length / Math.max(1, part.length)));
  return breaks.flatMap((end): readonly Attack[] => [
    (length) => `${prefix}${filled(pump, length)}${end}`,
    (length) => `${prefix}${filled(pump, length / 2)}${end}${filled(pump, length / 2)}${end}`,
    (length) => filled(`${prefix}${end}`, length),
    (length) => filled(`${prefix}${pump}${end}`, length),
    (length) => `${filled(`${prefix}${pump}`, length)}${end}`,
  ]);
}
