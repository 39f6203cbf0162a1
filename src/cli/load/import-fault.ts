import { existsSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

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
    fix: fixOf(error) ?? `Run it alone to see where it fails: node ${path}`,
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

function fixOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  const code = "code" in error ? error.code : undefined;
  if (code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") {
    return "Node.js removes types and compiles nothing: write an enum as an object `as const`, and a parameter property as a field. `erasableSyntaxOnly` in tsconfig.json finds them all.";
  }
  if (code === "ERR_INVALID_TYPESCRIPT_SYNTAX") return "Correct the syntax.";
  if (code === "ERR_MODULE_NOT_FOUND") return missingFix(error);
  if (error instanceof SyntaxError && /outside a module/.test(message)) return commonJsFix;
  if (error instanceof ReferenceError && /in ES module scope/.test(message)) {
    return "The file is an ES module: use `import` and `export` in place of `require` and `module`.";
  }
  const [, name] = /does not provide an export named '(.+)'/.exec(message) ?? [];
  if (name === undefined) return undefined;
  return `Correct the name. If \`${name}\` is a type, write \`import type { ${name} }\`: Node.js removes no other import.`;
}

const commonJsFix =
  'Add "type": "module" to the package.json beside it: `npm init -y` writes "commonjs".';

function missingFix(error: Error): string | undefined {
  const [, wanted] = /Cannot find package '(.+?)'/.exec(error.message) ?? [];
  if (wanted !== undefined) return `Install it where the file is: npm install ${wanted}`;
  if (!("url" in error) || typeof error.url !== "string") return undefined;
  const file = fileURLToPath(error.url);
  const source = [file.replace(/\.js$/, ".ts"), `${file}.ts`].find((path) => existsSync(path));
  return source === undefined
    ? "Correct the path of the import."
    : `Import ${shownPath(source)} by its own name, with .ts: Node.js runs TypeScript as it is. \`allowImportingTsExtensions\` in tsconfig.json makes tsc agree.`;
}
