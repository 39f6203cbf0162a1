/**
 * A text that arrives in small pieces and is held once: joined by `+` or kept in a list, each piece
 * would cost some sixty bytes more than its characters.
 */
export interface GrowingText {
  /** In UTF-16 code units. */
  readonly length: number;
  add(piece: string): void;
  text(): string;
  /** Takes out the beginning: some thousand characters, or the whole of a larger piece. */
  take(): string;
}

export function growingText(): GrowingText {
  let blocks: string[] = [];
  let pieces: string[] = [];
  let [length, unjoined] = [0, 0];
  const join = (): void => {
    if (pieces.length > 0) blocks.push(pieces.join(""));
    [pieces, unjoined] = [[], 0];
  };
  return {
    get length() {
      return length;
    },
    add: (piece) => {
      if (piece === "") return;
      pieces.push(piece);
      length += piece.length;
      unjoined += piece.length;
      if (pieces.length === maxPieces || unjoined >= blockLength) join();
    },
    text: () => {
      join();
      if (blocks.length > 1) blocks = [blocks.join("")];
      return blocks[0] ?? "";
    },
    take: () => {
      if (blocks.length === 0) join();
      const taken = blocks.shift() ?? "";
      length -= taken.length;
      return taken;
    },
  };
}

const [maxPieces, blockLength] = [128, 4_096];
