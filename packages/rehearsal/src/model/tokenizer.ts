/** Maximum UTF-8 bytes per token; six fit into a safe integer. */
const maxBytes = 6;

/**
 * Tokens of a text: runs of letters and digits, each with the preceding space, in pieces of at most
 * six UTF-8 bytes; every other character is a separate token. Joined, they give the text again.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (const [piece] of text.matchAll(/ ?[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu)) {
    if (piece.length <= maxBytes && isAscii(piece)) tokens.push(piece);
    else cut(piece, tokens);
  }
  return tokens;
}

/** `tokenize(text).length` without creating the tokens. */
export function countTokens(text: string): number {
  let count = 0;
  let bytes = 0;
  let isInWord = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) return tokenize(text).length;
    const isWordPart =
      (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
    if (!isWordPart) {
      count += 1;
      isInWord = false;
      continue;
    }
    if (!isInWord) {
      // The space before a word was counted as a token; now it belongs to the word.
      const hasSpace = text.charCodeAt(index - 1) === 32;
      bytes = hasSpace ? 1 : 0;
      count += hasSpace ? 0 : 1;
      isInWord = true;
    }
    if (bytes === maxBytes) {
      count += 1;
      bytes = 0;
    }
    bytes += 1;
  }
  return count;
}

/** An integer that encodes exactly the bytes of a token, after a leading 1. */
export function tokenId(token: string): number {
  return Buffer.from(token, "utf8").reduce((id, byte) => id * 256 + byte, 1);
}

/** The token with this id. */
export function tokenOf(id: number): string {
  const bytes: number[] = [];
  for (let rest = id; rest > 1; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from(bytes).toString("utf8");
}

function cut(piece: string, tokens: string[]): void {
  let token = "";
  let bytes = 0;
  for (const character of piece) {
    const size = Buffer.byteLength(character);
    if (bytes + size > maxBytes) {
      tokens.push(token);
      token = "";
      bytes = 0;
    }
    token += character;
    bytes += size;
  }
  if (token !== "") tokens.push(token);
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}
