/**
 * A pattern that both of vLLM's grammar compilers take and that generates only texts the original
 * accepts; `undefined` if there is none. Tried on vLLM 0.32 with xgrammar 0.2.8 and llguidance
 * 1.7.6: look-around, `\b`, `\p{L}`, back references and counts above 128 are errors in one or both
 * (a 500 in xgrammar), and xgrammar writes a quote or control character that `.`, `[^a]` or `\s`
 * allows into the JSON as it is.
 *
 * So the pattern may use only characters other than quotes, backslashes and controls, `\d` and `\w`
 * (sent as ASCII classes, since llguidance reads them as Unicode), classes, groups, `|` and
 * quantifiers.
 */
export function portablePattern(pattern: string): string | undefined {
  const body = pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "");
  let sent = "";
  for (let rest = body; rest !== "";) {
    const [token = ""] = portableToken.exec(rest) ?? [];
    if (token === "") return undefined;
    const written = token.startsWith("[") ? portableClass(token) : portableAtom(token);
    if (written === undefined) return undefined;
    sent += written;
    rest = rest.slice(token.length);
  }
  return `^(?:${sent})$`;
}

const portableToken =
  /^(?:\\.|\[(?:\\.|[^\]\\])+\]|\(\?:|\((?!\?)|[)|]|[*+?]|\{\d+(?:,\d*)?\}|[^\\[\](){}|*+?^$."\p{Cc}])/su;

/** Characters that an escape merely quotes. */
const quoted = /^\\[.*+?^$|/(){}[\]-]$/;

function portableAtom(token: string): string | undefined {
  if (token.startsWith("{")) {
    const counts = (token.match(/\d+/g) ?? []).map(Number);
    return Math.max(...counts) <= mostRepetitions ? token : undefined;
  }
  if (!token.startsWith("\\")) return token;
  const range = ranges[token];
  if (range !== undefined) return `[${range}]`;
  return quoted.test(token) ? token : undefined;
}

const mostRepetitions = 128;

const ranges: Readonly<Record<string, string>> = { "\\d": "0-9", "\\w": "A-Za-z0-9_" };

function portableClass(token: string): string | undefined {
  const inside = token.slice(1, -1);
  if (inside.startsWith("^") || oddRange.test(inside)) return undefined;
  const parts = inside.match(/\\.|[^\\]/gsu) ?? [];
  const written = parts.map((part) => {
    if (!part.startsWith("\\")) return /["\p{Cc}]/u.test(part) ? undefined : part;
    return ranges[part] ?? (quoted.test(part) ? part : undefined);
  });
  if (written.includes(undefined)) return undefined;
  return isPlainRange(inside) ? `[${written.join("")}]` : undefined;
}

/** A range with an escaped end, and set operations. */
const oddRange = /\\[dw]-.|[^\\]-\\|--|&&/u;

/** Whether no range spans a quote or a backslash: ` -~` does. */
function isPlainRange(inside: string): boolean {
  return [...inside.matchAll(/([^\\])-([^\\])/gu)].every(([, from = "", to = ""]) =>
    ['"', "\\"].every((special) => special < from || special > to),
  );
}
