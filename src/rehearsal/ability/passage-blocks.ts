export interface PassageText {
  /** The number shown with it, from 1. */
  readonly number: number;
  readonly title: string;
  readonly text: string;
}

/** Cuts `[1] Title` blocks apart; text without numbers is one passage. */
export function readPassageBlocks(text: string): readonly PassageText[] {
  const starts = [...text.matchAll(/^\[(\d+)\] /gm)];
  if (starts.length === 0) {
    return text.trim() === "" ? [] : [{ number: 1, title: "", text: text.trim() }];
  }
  return starts.map((start, index) => {
    const block = text.slice(start.index + start[0].length, starts[index + 1]?.index).trim();
    const lineEnd = block.indexOf("\n");
    return {
      number: Number(start[1]),
      title: lineEnd < 0 ? "" : block.slice(0, lineEnd).trim(),
      text: lineEnd < 0 ? block : block.slice(lineEnd + 1).trim(),
    };
  });
}
