import { stat } from "node:fs/promises";
import { resolve, dirname, extname, join, relative } from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";
import { EspalierError } from "../../errors/index.ts";
import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";

/** What the file must default-export. */
export type Exported = "study" | "experiment" | "serving" | "protocol";

/**
 * Imports a file named on the command line.
 *
 * @throws EspalierError `file-missing`; the code of `invalidCode` if the import fails.
 *   The framework's own errors from inside the file pass through.
 */
export async function importModule(
  path: string,
  exported: Exported = "study",
): Promise<Record<string, unknown>> {
  const file = resolve(path);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || !found.isFile()) {
    throw new EspalierError({
      code: "file-missing",
      problem: `No ${exported} file at "${path}"`,
      expected: `the path of a TypeScript or JavaScript file that default-exports ${shape[exported]}`,
      got: found === undefined ? "no such file" : "a folder",
    });
  }
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error;
    throw new EspalierError({
      code: invalidCode(exported),
      problem: `Cannot import "${path}"`,
      ...importFault(error, path),
      cause: error,
    });
  }
}

type InvalidCode = "study-invalid" | "experiment-invalid" | "serving-invalid";

export function invalidCode(exported: Exported): InvalidCode {
  return exported === "protocol" ? "serving-invalid" : `${exported}-invalid`;
}

const shape: Readonly<Record<Exported, string>> = {
  study: "`study({ ... })`",
  experiment: "`experiment({ ... })`",
  serving: "`serving({ ... })`",
  protocol: "a protocol",
};

/** Why a file could not be imported, where, and what to do about it. */
interface ImportFault {
  /** The error, with the line of the source that it is about and a caret, if Node.js knows it. */
  readonly got: string;
  /** `FILE:LINE` as the working folder sees it; absent where the error does not tell. */
  readonly where?: string;
  readonly fix: string;
}

/** Reads what Node.js says of a failed import; `path` is the file that was to be imported. */
function importFault(error: unknown, path: string): ImportFault {
  const got = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const place = placeIn(stack);
  const excerpt = place?.excerpt === undefined ? "" : `\n${place.excerpt}\n`;
  return {
    got: `${got}${excerpt}`,
    ...(place && { where: place.where }),
    fix: importFix(error) ?? `Run it on its own to see where it fails: node ${path}`,
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

/** What to do about a failed import, by its cause; `undefined` if that is not known. */
function importFix(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  const code = "code" in error ? String(error.code) : "";
  if (code === "ERR_MODULE_NOT_FOUND" || code === "ERR_UNSUPPORTED_DIR_IMPORT") {
    return missingFix(error);
  }
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") {
    return /^Unknown file extension "\.[jt]sx"/.test(message) ? jsxFix : otherFileFix;
  }
  if (Object.hasOwn(fixes, code)) return fixes[code];
  if (error instanceof SyntaxError && /outside a module/.test(message)) return commonJsFix;
  if (error instanceof ReferenceError && /in ES module scope/.test(message)) {
    return "The file is an ES module: use `import` and `export` instead of `require` and `module`.";
  }
  const [, ofCommonJs] = /^Named export '(.+)' not found/.exec(message) ?? [];
  if (ofCommonJs !== undefined) {
    return `The module is CommonJS: import its default export, and take \`${ofCommonJs}\` from that.`;
  }
  const [, name] = /does not provide an export named '(.+)'/.exec(message) ?? [];
  if (name === undefined) return undefined;
  return `Correct the name. If \`${name}\` is a type, write \`import type { ${name} }\`: Node.js removes only imports of this form.`;
}

const commonJsFix =
  'Add "type": "module" to the package.json beside it: `npm init -y` writes "commonjs".';
const jsxFix =
  "Node.js does not run JSX: write the file as .ts without it, or compile it and import the result.";
const otherFileFix =
  "Node.js imports only code and JSON: read any other file with `readFile` of node:fs/promises.";
const aliasFix =
  'Node.js does not read `paths` and `baseUrl` in tsconfig.json: write a relative path, such as "./base.ts", or a name with # that `imports` in package.json maps to the file: { "#base": "./base.ts" }.';

const fixes: Readonly<Record<string, string>> = {
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX:
    "Node.js removes types and compiles nothing: write an enum as an object `as const`, and a parameter property as a field. `erasableSyntaxOnly` in tsconfig.json finds them all.",
  ERR_INVALID_TYPESCRIPT_SYNTAX: "Correct the syntax.",
  ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING:
    "Node.js does not run TypeScript inside node_modules: import the package's compiled files.",
  ERR_PACKAGE_IMPORT_NOT_DEFINED: aliasFix,
  ERR_INVALID_MODULE_SPECIFIER: aliasFix,
  ERR_PACKAGE_PATH_NOT_EXPORTED:
    "The package is installed, but does not export this path: correct it, or install a version that does.",
  ERR_IMPORT_ATTRIBUTE_MISSING:
    'Import JSON with its type: import data from "./data.json" with { type: "json" }.',
  ERR_UNKNOWN_BUILTIN_MODULE: "This version of Node.js has no such module: correct the name.",
  ERR_UNSUPPORTED_ESM_URL_SCHEME: "Node.js imports only files, packages and its own modules.",
};

function missingFix(error: Error): string | undefined {
  const [, wanted] = /Cannot find package '(.+?)'/.exec(error.message) ?? [];
  if (wanted !== undefined) return packageFix(wanted, error.message);
  if (!("url" in error) || typeof error.url !== "string") return undefined;
  const source = sourceOf(fileURLToPath(error.url));
  if (source === undefined) return "Correct the path of the import.";
  const extension = extname(source);
  if (/^\.[jt]sx$/.test(extension)) return jsxFix;
  const byName = `Import ${shownPath(source)} by its own name, with ${extension}`;
  return extension.endsWith("ts")
    ? `${byName}: Node.js runs TypeScript as it is. \`allowImportingTsExtensions\` in tsconfig.json makes tsc accept this.`
    : `${byName}: Node.js adds no extension.`;
}

/** The file that is meant by a path with another extension, without one, or of its folder. */
function sourceOf(file: string): string | undefined {
  const extensions = ["ts", "mts", "cts", "js", "mjs", "cjs", "tsx", "jsx"];
  return [
    file.replace(/\.([cm]?)js(x?)$/, ".$1ts$2"),
    ...extensions.map((extension) => `${file}.${extension}`),
    ...extensions.map((extension) => join(file, `index.${extension}`)),
  ].find((path) => path !== file && existsSync(path));
}

function packageFix(wanted: string, message: string): string {
  if (builtinModules.includes(wanted)) {
    return `\`${wanted}\` belongs to Node.js, but has no such submodule: correct the import.`;
  }
  const [, importer = ""] = / imported from (.+)$/m.exec(message) ?? [];
  // As npm allows them in the names of new packages.
  const isName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9-][a-z0-9._~-]*$/.test(wanted);
  return isName && !isAlias(wanted, dirname(importer))
    ? `Install it ${importer.includes("node_modules") ? "in your project" : "in the file's folder"}: npm install ${wanted}`
    : aliasFix;
}

/** Whether a tsconfig.json here or above names it, or it stands beside one or beside the file. */
function isAlias(wanted: string, folder: string): boolean {
  if (existsSync(join(folder, wanted))) return true;
  const config = join(folder, "tsconfig.json");
  if (existsSync(config) && readFileSync(config, "utf8").includes(`"${wanted}/*"`)) return true;
  return dirname(folder) !== folder && isAlias(wanted, dirname(folder));
}
