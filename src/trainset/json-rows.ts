import type { z } from "zod";
import { EspalierError } from "../errors/index.ts";
import { excerpt, mebibyte, parseJson, byteSize } from "../internal/index.ts";
import { filePieces } from "../storage/index.ts";
import { checkRow, noRows } from "./check-row.ts";

export interface JsonRowsOptions {
  /** Keys of a single object that may hold the list, such as `data`. @default none */
  readonly lists?: readonly string[];
  /** Maximum size of one row, in bytes, after decompression. @default 67_108_864 (64 MiB) */
  readonly maxRowBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A row and its place. */
export interface JsonRow<TRow> {
  readonly row: TRow;
  /** File and line, and the row's number where a line may hold several, for errors. */
  readonly where: string;
}

/**
 * Rows of a file that holds a list of JSON objects, gzipped or not: `[{...}, {...}]`, a list under
 * a key of one object, or one object per line. Memory holds one row at a time, however large the
 * file, even if it is a single line; `readJsonl` reads a file of lines at once.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with file, line and field, also if there
 * are no rows
 * @example
 * for await (const { row } of jsonRows("dev-v1.1.json", article, { lists: ["data"] })) use(row);
 */
export async function* jsonRows<TSchema extends z.ZodType>(
  path: string,
  schema: TSchema,
  { lists = [], maxRowBytes = 64 * mebibyte, signal }: JsonRowsOptions = {},
): AsyncGenerator<JsonRow<z.output<TSchema>>> {
  const scanner = jsonScanner({ path, lists, maxItemBytes: maxRowBytes });
  let count = 0;
  for await (const piece of filePieces(path, signal)) {
    for (const item of scanner.take(piece)) {
      count++;
      const where = `${path}:${item.line} (row ${item.number})`;
      yield { row: checkRow(parsed(item, where), schema, where), where };
    }
  }
  scanner.end();
  if (count > 0) return;
  throw noRows(path);
}

function parsed({ bytes }: JsonItem, where: string): unknown {
  const text = bytes.toString("utf8");
  try {
    return parseJson(text);
  } catch (error) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The row is not JSON",
      expected: "a JSON object",
      got: `${excerpt(text, 80)} (${(error as Error).message})`,
      where,
      fix: "Correct the row, or download the file again.",
      cause: error,
    });
  }
}

/** One object of a list, as text that is not parsed yet. */
interface JsonItem {
  readonly bytes: Buffer;
  /** Line on which it begins, counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly number: number;
}

/** Cuts the bytes of a JSON document into the objects of its list. */
interface JsonScanner {
  take(piece: Buffer): readonly JsonItem[];
  /** @throws EspalierError `file-malformed` if the document is not complete */
  end(): void;
}

interface JsonScannerOptions {
  /** For errors. */
  readonly path: string;
  /** Keys of a single object that may hold the list. */
  readonly lists: readonly string[];
  readonly maxItemBytes: number;
}

const [quote, backslash, colon, comma, lineFeed] = [0x22, 0x5c, 0x3a, 0x2c, 0x0a];
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Looks at each byte once. The items are the elements of a top-level list, those of a list under
 * one of the keys of a single object, or else the objects of the document, one after another, as in
 * JSONL. Nothing may follow the list or its object. Structure is ASCII, so that UTF-8 need not be
 * decoded to find it.
 */
function jsonScanner({ path, lists, maxItemBytes }: JsonScannerOptions): JsonScanner {
  let depth = 0;
  /** Depth around an item; 0 while the document's own objects are the items. */
  let itemDepth = 0;
  let isListOver = false;
  let [isInString, isEscaped] = [false, false];
  let [line, count] = [1, 0];
  /** The last string directly in the document's object, which may be a key, and the last byte. */
  let key: number[] = [];
  let last = 0;
  let held: { line: number; bytes: number; pieces: Buffer[] } | undefined;

  const refuse = (got: string, where = line): never => {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The file is not a list of JSON objects",
      expected: `\`[{...}, {...}]\`, one object per line${lists.length === 0 ? "" : `, or a list under ${lists.map((name) => `\`${name}\``).join(" or ")}`}`,
      got,
      where: `${path}:${where}`,
      fix: "Check that the file was downloaded completely.",
    });
  };
  const isAtItem = (): boolean => depth === itemDepth && !isListOver;
  /** Forgets the object that was taken for an item, and takes the elements of its list. */
  const enterList = (at: number): void => {
    held = undefined;
    itemDepth = at;
    count = 0;
  };
  const isUnderListKey = (): boolean =>
    itemDepth === 0 &&
    depth === 1 &&
    count === 0 &&
    last === colon &&
    lists.includes(Buffer.from(key).toString("utf8"));
  /** A list has one comma between two items; objects one after another have none. */
  const checkSeparator = (byte: number): void => {
    if (byte === comma) {
      if (itemDepth === 0) refuse("a comma between objects that are not in a list");
      if (last !== closeObject) refuse("a comma without an object before it");
    } else if (byte === closeList) {
      if (last === comma) refuse("a comma after the last object");
    } else if (itemDepth > 0 && last === closeObject) refuse("two objects without a comma");
  };
  const hold = (piece: Buffer, from: number, to: number): void => {
    if (held === undefined || isListOver) return;
    held.bytes += to - from;
    if (held.bytes > maxItemBytes)
      refuse(`an object of more than ${byteSize(maxItemBytes)}`, held.line);
    held.pieces.push(piece.subarray(from, to));
  };

  return {
    take: (piece) => {
      const items: JsonItem[] = [];
      let start = 0;
      for (let at = 0; at < piece.length; at++) {
        const byte = piece[at] ?? 0;
        if (byte === lineFeed) line++;
        if (isInString) {
          if (isEscaped) isEscaped = false;
          else if (byte === backslash) isEscaped = true;
          else if (byte === quote) {
            isInString = false;
            last = quote;
          } else if (depth === 1 && itemDepth === 0 && key.length < 64) key.push(byte);
          continue;
        }
        if (byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === lineFeed) continue;
        // A byte order mark.
        if (depth === 0 && last === 0 && (byte === 0xef || byte === 0xbb || byte === 0xbf))
          continue;
        if (isListOver && depth === 0) refuse("more text after the end of the list");
        if (byte === quote) {
          if (held === undefined && isAtItem()) refuse("text between the objects");
          isInString = true;
          if (depth === 1) key = [];
        } else if (byte === openObject) {
          if (isAtItem()) {
            checkSeparator(byte);
            held = { line, bytes: 0, pieces: [] };
            start = at;
          }
          depth++;
        } else if (byte === openList) {
          if (depth === 0 && count === 0 && itemDepth === 0) enterList(1);
          else if (isUnderListKey()) enterList(2);
          else if (held === undefined && isAtItem()) refuse("a list where an object belongs");
          depth++;
        } else if (byte === closeObject || byte === closeList) {
          if (held === undefined && isAtItem() && itemDepth > 0) {
            if (byte !== closeList) refuse("`}` where the list should end");
            checkSeparator(byte);
          }
          depth--;
          if (depth < 0) refuse("an unmatched closing bracket");
          if (isAtItem() && held !== undefined) {
            hold(piece, start, at + 1);
            count++;
            items.push({ bytes: Buffer.concat(held.pieces), line: held.line, number: count });
            held = undefined;
          } else if (itemDepth > 0 && depth === itemDepth - 1) isListOver = true;
        } else if (held === undefined && isAtItem()) {
          if (byte === comma) checkSeparator(byte);
          else refuse(`\`${String.fromCharCode(byte)}\` where an object belongs`);
        }
        last = byte;
      }
      hold(piece, start, piece.length);
      return items;
    },
    end: () => {
      if (depth !== 0) refuse("the end of the file inside an object", held?.line ?? line);
    },
  };
}
