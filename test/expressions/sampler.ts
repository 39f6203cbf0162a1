import type { AST } from "@eslint-community/regexpp";

export interface Sampler {
  readonly shortest: (element: AST.Element) => string;
  /** Short texts of different kinds, none empty. */
  readonly variants: (element: AST.Element) => readonly string[];
}

const usual = " \n\taA0_.,:;-*#=\"'`()[]{}<>/|?!\\é字".split("");
const everything = [
  ...usual,
  ...Array.from({ length: 0x3100 }, (_, code) => String.fromCodePoint(code)),
];

/**
 * Texts that parts of an expression match, of the characters that most of its places compete for.
 */
export function samplerOf(pattern: AST.Pattern, flags: string): Sampler {
  const kept = flags.replaceAll(/[gymd]/g, "");
  const accepting = new Map(
    [...new Set(pattern.alternatives.flatMap(singlesIn))].map((raw) => [
      raw,
      new RegExp(`^(?:${raw})$`, kept),
    ]),
  );
  const weight = (character: string): number =>
    [...accepting.values()].filter((expression) => expression.test(character)).length;
  const alphabet = [...accepting.values()].flatMap(
    (accepts) => everything.find((character) => accepts.test(character)) ?? [],
  );
  const ordered = [...new Set([...alphabet, ...usual])].toSorted(
    (left, right) => weight(right) - weight(left),
  );

  const accepted = (raw: string): readonly string[] =>
    ordered.filter((character) => accepting.get(raw)?.test(character));

  const shortest = (element: AST.Element): string => {
    if (isSingle(element)) return accepted(element.raw)[0] ?? "";
    if (element.type === "Quantifier") return shortest(element.element).repeat(element.min);
    if (element.type === "Assertion" || !("alternatives" in element)) return "";
    const texts = element.alternatives.map(({ elements }) => elements.map(shortest).join(""));
    return texts.reduce((least, text) => (text.length < least.length ? text : least));
  };

  /** What a match may begin with, so that one may begin anew in what is repeated. */
  const openings = pattern.alternatives.flatMap(
    ({ elements }) =>
      elements
        .map(shortest)
        .find((text) => text !== "")
        ?.at(0) ?? [],
  );

  const variants = (element: AST.Element): readonly string[] => {
    if (isSingle(element)) {
      const all = accepted(element.raw);
      const opening = openings.filter((character) => all.includes(character));
      return [...new Set([...opening.slice(0, 2), ...all.slice(0, 4)])];
    }
    if (element.type === "Quantifier") return variants(element.element);
    if (element.type === "Assertion" || !("alternatives" in element)) return [];
    return element.alternatives.flatMap(({ elements }) =>
      elements
        .map((each) => variants(each).slice(0, 4))
        .filter((each) => each.length > 0)
        .reduce<string[]>(
          (texts, each) => texts.flatMap((text) => each.map((more) => text + more)).slice(0, 16),
          [""],
        )
        .slice(0, 8)
        .filter((text) => text !== ""),
    );
  };
  return { shortest, variants };
}

function isSingle({ type }: AST.Element): boolean {
  return (
    type === "Character" ||
    type === "CharacterSet" ||
    type === "CharacterClass" ||
    type === "ExpressionCharacterClass"
  );
}

function singlesIn({ elements }: AST.Alternative): readonly string[] {
  const ofElement = (element: AST.Element): readonly string[] => {
    if (isSingle(element)) return [element.raw];
    if (element.type === "Quantifier") return ofElement(element.element);
    return "alternatives" in element ? element.alternatives.flatMap(singlesIn) : [];
  };
  return elements.flatMap(ofElement);
}
