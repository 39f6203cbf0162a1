import { isUtf8 } from "node:buffer";
import { EspalierError } from "../errors/index.ts";
import { lineTooLong } from "./line-too-long.ts";

/** Splits the chunks of a file into lines. */
export interface LineReader {
  /** The lines that end in this chunk. */
  take(piece: Buffer): readonly string[];
  /** What follows the last line end; call once, at the end of the file. */
  rest(): readonly string[];
}

/**
 * Looks at each byte once: a line is assembled when it ends.
 *
 * @param path for errors
 * @throws EspalierError `file-malformed` with file and line, from `take` and `rest`
 */
export function lineReader(path: string, maxLineBytes: number): LineReader {
  // Only the first line of a file may begin with a byte order mark.
  let decoder = new TextDecoder("utf-8", { fatal: true });
  let partial: Buffer[] = [];
  let partialBytes = 0;
  let linesBefore = 0;

  const refuseLonger = (bytes: number, line: number): void => {
    if (bytes > maxLineBytes) throw lineTooLong(`${path}:${line}`, maxLineBytes);
  };
  const linesIn = (block: Buffer): readonly string[] => {
    if (block.length > maxLineBytes) {
      for (const [index, line] of byteLines(block)) {
        refuseLonger(line.length, linesBefore + index + 1);
      }
    }
    const texts = decoded(block).split("\n");
    linesBefore += texts.length;
    return texts.map((text) => (text.endsWith("\r") ? text.slice(0, -1) : text));
  };
  const decoded = (block: Buffer): string => {
    try {
      const text = decoder.decode(block);
      decoder = laterDecoder;
      return text;
    } catch (error) {
      const [bad = 0] = [...byteLines(block)].find(([, line]) => !isUtf8(line)) ?? [];
      throw notUtf8(`${path}:${linesBefore + bad + 1}`, error);
    }
  };
  return {
    take: (piece) => {
      const end = piece.lastIndexOf(lineFeed);
      const block = end < 0 ? undefined : Buffer.concat([...partial, piece.subarray(0, end)]);
      if (block !== undefined) [partial, partialBytes] = [[], 0];
      const lines = block === undefined ? [] : linesIn(block);
      partial.push(piece.subarray(end + 1));
      partialBytes += piece.length - end - 1;
      refuseLonger(partialBytes, linesBefore + 1);
      return lines;
    },
    rest: () => linesIn(Buffer.concat(partial)),
  };
}

const lineFeed = 0x0a;
const laterDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function* byteLines(block: Buffer): Generator<readonly [number, Buffer]> {
  let start = 0;
  for (let index = 0; ; index++) {
    const end = block.indexOf(lineFeed, start);
    yield [index, block.subarray(start, end < 0 ? undefined : end)];
    if (end < 0) return;
    start = end + 1;
  }
}

function notUtf8(where: string, cause: unknown): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "The file is not UTF-8 text",
    where,
    fix: "Convert it to UTF-8; if it is compressed with anything but gzip, decompress it first.",
    cause,
  });
}
