import { createHash } from "node:crypto";

/**
 * What was said of a text, remembered by digests of its blocks, so that it takes no room of its
 * own: enough to know whether another text begins alike.
 */
export interface SaidText {
  /** In UTF-16 code units. */
  readonly length: number;
  add(piece: string): void;
  /** Whether the text begins with all that was said. */
  begins(text: string): boolean;
  /**
   * Whether two texts are alike as far as both go. A difference may show only at the end of its
   * block or of the shorter text that ends in the same block.
   */
  isLike(other: SaidText): boolean;
  /** Digests of whole blocks, and the beginning of the next block. */
  readonly blocks: readonly string[];
  readonly rest: string;
}

export function saidText(): SaidText {
  const blocks: string[] = [];
  let rest = "";
  const add = (piece: string): void => {
    let from = 0;
    while (rest.length + piece.length - from >= blockLength) {
      const until = from + blockLength - rest.length;
      blocks.push(digestOf(rest + piece.slice(from, until)));
      rest = "";
      from = until;
    }
    rest += from === 0 ? piece : owned(piece.slice(from));
  };
  const said: SaidText = {
    get length() {
      return blocks.length * blockLength + rest.length;
    },
    add,
    begins: (text) => {
      if (text.length < said.length) return false;
      const beginning = saidText();
      beginning.add(text.slice(0, said.length));
      return said.isLike(beginning);
    },
    isLike: (other) => {
      const shared = Math.min(blocks.length, other.blocks.length);
      for (let index = 0; index < shared; index++) {
        if (blocks[index] !== other.blocks[index]) return false;
      }
      if (blocks.length !== other.blocks.length) return true;
      return rest.startsWith(other.rest) || other.rest.startsWith(rest);
    },
    blocks,
    get rest() {
      return rest;
    },
  };
  return said;
}

const blockLength = 512;

/** V8 keeps the whole text of which it has cut a part. */
function owned(part: string): string {
  return Buffer.from(part, "utf16le").toString("utf16le");
}

function digestOf(block: string): string {
  return createHash("sha1").update(block, "utf16le").digest("base64");
}
