import type { Json, JsonObject } from "../../contract/index.ts";
import type { Field } from "../../signature/index.ts";
import type { Growth } from "./growth.ts";
import { charactersPerEntry } from "./growth.ts";

/**
 * Reads outputs that are written as lines with the titles of their fields, as ax asks for where no
 * field is an object:
 *
 *     Answer: Because it grows
 *     along a frame.
 *     Label: sure
 *
 * Texts grow; the other values are shown once the next title begins.
 *
 * @param titled fields by title
 * @param withheld fields that are not shown before they are final
 */
export function growingLines(
  titled: ReadonlyMap<string, Field>,
  withheld: ReadonlySet<string> = new Set(),
): Growth {
  let value: JsonObject = {};
  let changes = 0;
  let field: Field | undefined;
  /** The value of the field that is being written, without leading white space. */
  let text = "";
  /** The beginning of a line, as long as it may be a title. */
  let line: string | null = "";
  /** White space that belongs to the text if more of it follows. */
  let space = "";

  const show = (shown: Json): void => {
    if (field === undefined || withheld.has(field.name)) return;
    value = { ...value, [field.name]: shown };
    changes++;
  };
  const write = (added: string): void => {
    if (field === undefined) return;
    const known = space + added;
    const said = known.trimEnd();
    if (said === "") {
      space = text === "" ? "" : known;
      return;
    }
    space = known.slice(said.length);
    text += text === "" ? said.trimStart() : said;
    if (field.shape.kind === "text") show(text);
  };
  const end = (): void => {
    const whole = field && wholeValue(field, text);
    if (whole !== undefined) show(whole);
    [text, space] = ["", ""];
  };
  const mayBeTitle = (beginning: string): boolean =>
    [...titled.keys()].some((title) => `${title}:`.startsWith(beginning));

  const take = (character: string): void => {
    if (line === null) {
      write(character);
      if (character === "\n") line = "";
      return;
    }
    line += character;
    const begun = titled.get(line.slice(0, -1));
    if (character === ":" && begun !== undefined) {
      end();
      field = begun;
      line = null;
    } else if (!mayBeTitle(line)) {
      const plain = line;
      line = character === "\n" ? "" : null;
      write(plain);
    }
  };

  return {
    get changes() {
      return changes;
    },
    get width() {
      return titled.size + text.length / charactersPerEntry;
    },
    add: (piece) => {
      // A text that is in its line grows by whole pieces.
      let index = 0;
      while (index < piece.length) {
        const lineEnd = piece.indexOf("\n", index);
        const until = lineEnd < 0 ? piece.length : lineEnd;
        if (line === null && until > index) {
          write(piece.slice(index, until));
          index = until;
        } else take(piece.charAt(index++));
      }
    },
    snapshot: () => ({
      value,
      growing:
        field?.shape.kind === "text" && !withheld.has(field.name) && text !== ""
          ? [field.name]
          : [],
    }),
  };
}

/** A value other than a text as ax reads it; `undefined` if it is not known before the end. */
function wholeValue({ shape }: Field, written: string): Json | undefined {
  if (shape.kind === "label") return shape.options.includes(written) ? written : undefined;
  if (shape.kind === "boolean")
    return written === "true" || written === "false" ? written === "true" : undefined;
  if (shape.kind !== "number") return undefined;
  const number = Number(written);
  return written === "" || !Number.isFinite(number) ? undefined : number;
}
