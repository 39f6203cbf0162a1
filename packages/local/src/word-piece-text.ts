/**
 * Does what llama.cpp's WordPiece leaves out of BERT's: takes all letters apart, Hangul too, and
 * makes a word of more than 100 letters unknown.
 */
export function wordPieceText(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replace(longWord, unknownLetter);
}

const longWord = /[^\s\p{P}$+<=>^`|~\p{Script=Han}]{101,}/gu;
/** Of Gothic, which no vocabulary of BERT has. */
const unknownLetter = "\u{10330}";
