import { existsSync } from "node:fs";
import { isObject, jsonOrUndefined, mebibyte } from "../../../../src/internal/index.ts";
import type { ExampleTrace } from "./example-trace.ts";
import type { TraceLines } from "./trace-lines.ts";
import { linesInFile, linesInMemory } from "./trace-lines.ts";

/**
 * What runs of a search's candidates did, which its journal does not hold: the first run of each
 * candidate on each example, as lines of JSON. Losing them loses times and steps alone.
 */
export interface KeptTraces extends Disposable {
  /** Keeps it, unless there is one, or no room is left. */
  add(candidate: string, example: string, trace: () => ExampleTrace): void;
  of(candidate: string, example: string): ExampleTrace | undefined;
  /** Of whichever candidate ran the example first. */
  anyOf(example: string): ExampleTrace | undefined;
  /** How many of the candidate's examples have one. */
  countOf(candidate: string): number;
  /** Writes what was added: after a kill, a reader then has all that a server was sent. */
  flush(): void;
}

export interface KeptTracesOptions {
  /** Absent: in memory. */
  readonly path?: string | undefined;
  /** At most; what comes after is not kept. @default 1 GiB, or 64 MiB in memory */
  readonly maxBytes?: number;
  /** A missing file then holds nothing. @default false */
  readonly isReadOnly?: boolean;
}

/** @throws what the file system throws, while it opens the file */
export function keptTraces({
  path,
  maxBytes = path === undefined ? 64 * mebibyte : 1_024 * mebibyte,
  isReadOnly = false,
}: KeptTracesOptions): KeptTraces {
  const places = new Map<string, Map<string, Place>>();
  const first = new Map<string, Place>();
  const note = (candidate: string, example: string, place: Place): void => {
    const held = places.get(candidate) ?? new Map<string, Place>();
    places.set(candidate, held);
    if (!held.has(example)) held.set(example, place);
    if (!first.has(example)) first.set(example, place);
  };
  const lines = openLines({ path, isReadOnly }, (line, start) => {
    const { candidate, example } = objectIn(line.toString("utf8"));
    if (typeof candidate !== "string" || typeof example !== "string") return;
    note(candidate, example, { start, length: line.length });
  });
  const read = (place: Place | undefined): ExampleTrace | undefined => {
    if (place === undefined) return undefined;
    const { candidate: _candidate, example: _example, ...trace } = objectIn(lines.at(place));
    return Array.isArray(trace["spans"]) ? (trace as unknown as ExampleTrace) : undefined;
  };
  return {
    add: (candidate, example, trace) => {
      if (isReadOnly || lines.bytes >= maxBytes) return;
      if (places.get(candidate)?.has(example)) return;
      const line = JSON.stringify({ candidate, example, ...trace() });
      note(candidate, example, { start: lines.bytes, length: Buffer.byteLength(line) });
      lines.add(line);
    },
    of: (candidate, example) => read(places.get(candidate)?.get(example)),
    anyOf: (example) => read(first.get(example)),
    countOf: (candidate) => places.get(candidate)?.size ?? 0,
    flush: () => lines.flush(),
    [Symbol.dispose]: () => lines.close(),
  };
}

/** Of a line, without its end. */
interface Place {
  readonly start: number;
  readonly length: number;
}

function openLines(
  { path, isReadOnly }: { readonly path: string | undefined; readonly isReadOnly: boolean },
  onLine: (line: Buffer, start: number) => void,
): TraceLines {
  if (path === undefined || (isReadOnly && !existsSync(path))) return linesInMemory();
  return linesInFile(path, { isReadOnly, onLine });
}

function objectIn(line: string): Readonly<Record<string, unknown>> {
  const value = jsonOrUndefined(line);
  return isObject(value) ? value : {};
}
