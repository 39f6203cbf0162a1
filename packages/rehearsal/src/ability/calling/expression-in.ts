const operators: Readonly<Record<string, string>> = {
  plus: "+",
  "added to": "+",
  minus: "-",
  less: "-",
  times: "*",
  "multiplied by": "*",
  "divided by": "/",
  over: "/",
};

const number = String.raw`\d+(?:\.\d+)?`;
const words = Object.keys(operators).join("|");
const expression = new RegExp(
  `(?<!\\d)(${number})((?:\\s*(?:[-+*/]|\\b(?:${words})\\b)\\s*${number})+)`,
  "i",
);

const operatorWord = new RegExp(`\\b(?:${words})\\b`, "gi");

/** The arithmetic in a text, as an expression; `undefined` if there is none. */
export function expressionIn(text: string): string | undefined {
  const [found] = expression.exec(text) ?? [];
  return found
    ?.replaceAll(operatorWord, (word) => operators[word.toLowerCase()] ?? word)
    .replaceAll(/\s+/g, " ");
}
