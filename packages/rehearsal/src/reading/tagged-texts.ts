/**
 * Reads texts that a message wraps in `<passage>`, `<turn>` and `<text>` tags. Such texts contain
 * no tags, so the next closing tag always matches.
 */

/** The message with everything inside a tag blanked out, character by character. */
export function withoutTagged(message: string): string {
  return replaceTagged(message, ({ whole }) => " ".repeat(whole.length));
}

/**
 * A value with its tags resolved: turns as `speaker: text`, passages as `[1] Title` blocks
 * separated by a blank line, other texts unchanged.
 */
export function withTagsRead(value: string): string {
  return replaceTagged(value, ({ name, attributes, text }) => {
    if (name === "text") return text;
    if (name === "turn") return `${attributes.get("speaker") ?? "user"}: ${text}`;
    const head = `[${attributes.get("number") ?? ""}]`;
    const title = attributes.get("title");
    return `${head} ${title === undefined ? "" : `${title}\n`}${text}\n`;
  }).trim();
}

interface Tagged {
  readonly whole: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string;
}

function replaceTagged(message: string, replace: (tagged: Tagged) => string): string {
  const pieces: string[] = [];
  let done = 0;
  for (const opening of message.matchAll(openingTag)) {
    if (opening.index < done) continue;
    const name = opening[1] ?? "";
    const from = opening.index + opening[0].length;
    const to = message.indexOf(`</${name}>`, from);
    if (to < 0) break;
    const end = to + name.length + 3;
    pieces.push(
      message.slice(done, opening.index),
      replace({
        whole: message.slice(opening.index, end),
        name,
        attributes: attributesIn(opening[2] ?? ""),
        text: withoutOuterLines(message.slice(from, to)),
      }),
    );
    done = end;
  }
  return [...pieces, message.slice(done)].join("");
}

const openingTag = /<(passage|turn|text)((?: [a-z]+="[^"\n]*")*)>/g;

function attributesIn(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(/ ([a-z]+)="([^"\n]*)"/g)];
  return new Map(
    found.map(([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"')] as const),
  );
}

/** A text of several lines starts and ends on separate lines. */
function withoutOuterLines(text: string): string {
  return text.startsWith("\n") && text.endsWith("\n") ? text.slice(1, -1) : text;
}
