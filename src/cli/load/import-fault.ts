import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { importFix } from "./import-fix.ts";

/** Why a file could not be imported, where, and what to do about it. */
export interface ImportFault {
  /** The error, with the line of the source that it is about and a caret, if Node.js knows it. */
  readonly got: string;
  /** `FILE:LINE` as the working folder sees it; absent where the error does not tell. */
  readonly where?: string;
  readonly fix: string;
}

/** Reads what Node.js says of a failed import; `path` is the file that was to be imported. */
export function importFault(error: unknown, path: string): ImportFault {
  const got = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const place = placeIn(stack);
  const excerpt = place?.excerpt === undefined ? "" : `\n${place.excerpt}\n`;
  return {
    got: `${got}${excerpt}`,
    ...(place && { where: place.where }),
    fix: importFix(error, shownPath) ?? `Run it alone to see where it fails: node ${path}`,
  };
}

interface Place {
  readonly where: string;
  readonly excerpt?: string;
}

/** A syntax error begins with its place and lines of source, any other error has a stack. */
function placeIn(stack: string): Place | undefined {
  const [first = "", ...rest] = stack.split("\n");
  const head = /^(file:\/\/\/.+|\/.+):(\d+)$/.exec(first);
  if (head !== null) {
    const [, file = "", line = ""] = head;
    const caret = rest.findIndex((text) => /^\s*\^+$/.test(text));
    return {
      where: `${shownPath(file)}:${line}`,
      ...(caret > 0 && { excerpt: rest.slice(caret - 1, caret + 1).join("\n") }),
    };
  }
  const frame = rest.map(frameIn).find(isOfUser);
  const [, file, line] = /^(.+):(\d+):\d+$/.exec(frame ?? "") ?? [];
  return file === undefined ? undefined : { where: `${shownPath(file)}:${line ?? ""}` };
}

/** `file:///x/study.ts:3:7`, in brackets or at the end of a line of a stack. */
function frameIn(line: string): string | undefined {
  const open = line.lastIndexOf("(");
  const place = line.slice(open + 1).replace(/\)$/, "");
  if (/(?:^|\s)node:/.test(place)) return undefined;
  const scheme = place.indexOf("file://");
  const start = scheme === -1 ? place.indexOf("/") : scheme;
  return start !== -1 && /:\d+:\d+$/.test(place) ? place.slice(start) : undefined;
}

/** A frame of the framework, or of a package, says nothing about the file. */
function isOfUser(frame: string | undefined): boolean {
  return frame !== undefined && !frame.includes(ownFolder) && !frame.includes("/node_modules/");
}

const ownFolder = new URL("../../", import.meta.url).pathname;

function shownPath(file: string): string {
  return relative(process.cwd(), file.startsWith("file:") ? fileURLToPath(file) : file);
}
