import type { RankedPassage } from "../../contract/index.ts";
import { byteSize, excerpt } from "../../internal/index.ts";
import type { IndexContents } from "../../retrieval/index.ts";
import { joinLines } from "../terminal/terminal.ts";

/** What an index holds, with what is told of its kind alone. */
export function contentsText(
  contents: IndexContents,
  kind: { readonly stems?: number; readonly about: string },
): string {
  const { size, titled, checksum, bytes, fields, embeddings, examples } = contents;
  const counts = [
    `${size} passages`,
    `${titled} with a title`,
    ...(kind.stems === undefined ? [] : [`${kind.stems} stems`]),
    ...(bytes === undefined ? [] : [byteSize(bytes)]),
  ];
  const named = Object.entries(fields).map(([name, holders]) => `${name} (${holders})`);
  return joinLines([
    counts.join(", "),
    `checksum ${checksum}`,
    kind.about,
    ...(named.length === 0 ? [] : [`metadata: ${named.join(", ")}`]),
    ...embeddings.map(
      ({ provider, model, dimension, embedded }) =>
        `vectors from ${model} (${provider}): ${embedded} passages, ${dimension} dimensions`,
    ),
    "",
    ...examples.map(({ id, title, text }) => `${id}  ${oneLineOf(title, text)}`),
  ]);
}

export function passagesText(passages: readonly RankedPassage[]): string {
  return joinLines(
    passages.flatMap(({ id, score, title, text }, index) => [
      `${index + 1}. ${id}  ${score.toFixed(4)}`,
      `   ${oneLineOf(title, text)}`,
    ]),
  );
}

/** The title and the beginning of the text on one line. */
function oneLineOf(title: string | undefined, text: string): string {
  const line = [...(title === undefined ? [] : [title]), text]
    .map((part) => part.replaceAll(/\s+/g, " ").trim())
    .filter((part) => part !== "")
    .join(" | ");
  return excerpt(line, 100);
}
