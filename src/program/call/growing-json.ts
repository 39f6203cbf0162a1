import type { Json, JsonObject } from "../../contract/index.ts";
import type { Growth, GrowthGuide } from "./growth-guide.ts";
import { charactersPerEntry } from "./growth-guide.ts";
import { exactJson } from "../../internal/index.ts";

interface Container {
  readonly kind: "object" | "list";
  readonly held: JsonObject | Json[];
  size: number;
  /** `null`: neither it nor anything in it is shown. */
  readonly guide: GrowthGuide | null;
  /** Of the part that is being written; of a list's, unused. */
  key: string;
}

type Place =
  | "before"
  | "value"
  | "key"
  | "string"
  | "escape"
  | "unicode"
  | "colon"
  | "number"
  | "word"
  | "after"
  | "over";

/**
 * Reads a JSON object while it is still being written, in time linear in its text: no piece is read
 * twice, and a snapshot copies only the containers that are still open. Texts grow, with escapes
 * resolved and surrogate pairs kept together; numbers, `true`, `false` and `null` are shown once
 * they are complete. Where a key stands twice, the last value counts, as for `JSON.parse`.
 *
 * Text that does not start with an object, and what follows a fault, adds nothing.
 *
 * @param onText gets what is added to texts that grow, which are then not kept: a value has none
 */
export function growingJson(root: GrowthGuide, onText?: (added: string) => void): Growth {
  const open: Container[] = [];
  let whole: JsonObject = {};
  let place: Place = "before";
  let changes = 0;
  let width = 0;
  /** Of the value that comes next, or is being written; `null` if it is not shown. */
  let guide: GrowthGuide | null = root;
  let isKey = false;
  let isText = false;
  let text = "";
  let highSurrogate = "";
  /** The number, word or digits after `\u` that are being read. */
  let token = "";

  const begin = (kind: Container["kind"]): void => {
    open.push({ kind, held: kind === "object" ? {} : [], size: 0, guide, key: "" });
    if (guide !== null) {
      changes++;
      width++;
    }
    place = kind === "object" ? "key" : "value";
    if (kind === "list") guide = guide?.at(0) ?? null;
  };

  const complete = (value: Json): void => {
    const container = open.at(-1);
    if (container === undefined) {
      whole = value as JsonObject;
      place = "over";
      return;
    }
    place = "after";
    if (guide === null || container.guide === null) return;
    const { held, key } = container;
    if (value === null && guide.isAbsentAsNull === true && !Object.hasOwn(held, key)) return;
    changes++;
    if (Array.isArray(held)) held.push(value);
    else if (Object.hasOwn(held, key)) {
      put(held, key, value);
      return;
    } else put(held, key, value);
    container.size++;
    width++;
  };

  const close = (): void => {
    const container = open.pop();
    if (container === undefined) return;
    if (container.guide !== null) width -= container.size + 1;
    ({ guide } = container);
    complete(container.held);
  };

  const write = (units: string): void => {
    if (units === "") return;
    if (!isKey && guide === null) return;
    const known = highSurrogate + units;
    highSurrogate = endsInHighSurrogate(known) ? known.slice(-1) : "";
    const added = highSurrogate === "" ? known : known.slice(0, -1);
    const whole = added.toWellFormed();
    const grows = !isKey && whole !== "" && guide?.grows === true;
    if (grows) changes++;
    if (grows && onText !== undefined) onText(whole);
    else text += whole;
  };

  const endString = (): void => {
    highSurrogate = highSurrogate.toWellFormed();
    if (highSurrogate !== "" && !isKey && guide?.grows === true) onText?.(highSurrogate);
    const said = text + highSurrogate;
    [text, highSurrogate, isText] = ["", "", false];
    const container = open.at(-1);
    if (!isKey || container === undefined) {
      complete(said);
      return;
    }
    isKey = false;
    container.key = said;
    guide = container.guide?.at(said) ?? null;
    place = "colon";
  };

  /** Returns whether the character belongs to the token that begins here. */
  const startValue = (character: string): boolean => {
    if (character === "{") begin("object");
    else if (character === "[") begin("list");
    else if (character === "]" && open.at(-1)?.kind === "list") close();
    else if (character === '"') {
      [place, isText] = ["string", true];
      if (guide?.grows === true) changes++;
    } else {
      place = /[-\d]/.test(character) ? "number" : "word";
      token = "";
      return true;
    }
    return false;
  };

  const afterValue = (character: string): void => {
    const container = open.at(-1);
    if (character === "}" || character === "]") close();
    else if (character === "," && container?.kind === "object") place = "key";
    else if (character === "," && container !== undefined) {
      place = "value";
      guide = container.guide?.at(container.size) ?? null;
    } else place = "over";
  };

  const endNumber = (): void => {
    const value = numberIn(token);
    if (value === undefined) place = "over";
    else complete(value);
  };

  /** Reads what stands between values; returns whether the character is to be read again. */
  const structural = (character: string): boolean => {
    if (isSpace(character)) return false;
    if (place === "value") return startValue(character);
    if (place === "before") {
      if (character === "{") begin("object");
      else place = "over";
    } else if (place === "key") {
      if (character === '"') [isKey, place] = [true, "string"];
      else if (character === "}") close();
      else place = "over";
    } else if (place === "colon") place = character === ":" ? "value" : "over";
    else afterValue(character);
    return false;
  };

  const escaped = (character: string): void => {
    place = "string";
    const meant = escapes.get(character);
    if (character === "u") [place, token] = ["unicode", ""];
    else if (meant !== undefined) write(meant);
    else place = "over";
  };

  const digit = (character: string): void => {
    token += character;
    if (token.length < 4) return;
    place = /^[\dA-Fa-f]{4}$/.test(token) ? "string" : "over";
    if (place === "string") write(String.fromCharCode(Number.parseInt(token, 16)));
  };

  const word = (character: string): void => {
    token += character;
    const meant = words.get(token);
    if (meant !== undefined) complete(meant);
    else if (![...words.keys()].some((each) => each.startsWith(token))) place = "over";
  };

  return {
    get changes() {
      return changes;
    },
    get width() {
      return width + (isText && guide?.grows === true ? text.length / charactersPerEntry : 0);
    },
    add: (piece) => {
      let index = 0;
      while (index < piece.length && place !== "over") {
        if (place === "string") {
          const end = plainEnd(piece, index);
          write(piece.slice(index, end));
          if (end < piece.length) {
            if (piece[end] === "\\") place = "escape";
            else endString();
          }
          index = end + 1;
          continue;
        }
        const character = piece.charAt(index);
        if (place === "number") {
          if (/[-+.\deE]/.test(character)) token += character;
          else {
            endNumber();
            continue;
          }
        } else if (place === "escape") escaped(character);
        else if (place === "unicode") digit(character);
        else if (place === "word") word(character);
        else if (structural(character)) continue;
        index++;
      }
    },
    snapshot: () => {
      if (open.length === 0) return { value: whole, growing: [] };
      const growing: (string | number)[] = [];
      const isShown = isText && guide?.grows === true;
      let value: Json | undefined = isShown ? text : undefined;
      for (const { kind, held, size, guide: own, key } of open.toReversed()) {
        if (own === null) continue;
        if (value !== undefined) growing.push(kind === "list" ? size : key);
        if (Array.isArray(held)) value = value === undefined ? [...held] : [...held, value];
        else value = value === undefined ? { ...held } : { ...held, [key]: value };
      }
      return { value: value as JsonObject, growing: growing.toReversed() };
    },
  };
}

/** The index of the next quote or backslash, or the length. */
function plainEnd(piece: string, from: number): number {
  let index = from;
  while (index < piece.length && piece[index] !== '"' && piece[index] !== "\\") index++;
  return index;
}

function endsInHighSurrogate(text: string): boolean {
  const unit = text.charCodeAt(text.length - 1);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\r" || character === "\t";
}

/** Sets an own property, `__proto__` among them, as `JSON.parse` does. */
function put(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function numberIn(token: string): number | undefined {
  try {
    return (exactJson(`[${token}]`) as readonly [number])[0];
  } catch {
    return undefined;
  }
}

const words: ReadonlyMap<string, true | false | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
