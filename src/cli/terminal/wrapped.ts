/**
 * A text in lines of at most `width` columns, broken between words; a longer word has a line of its
 * own.
 *
 * @param margin of every line but the first, within the width
 */
export function wrapped(text: string, width: number, margin = ""): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && longer.length > width) {
      lines.push(line);
      line = `${margin}${word}`;
    } else line = longer;
  }
  return [...lines, line];
}
