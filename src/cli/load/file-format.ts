import { existsSync } from "node:fs";
import { EspalierError } from "../../errors/index.ts";
import { jsonOrUndefined, mebibyte } from "../../internal/index.ts";
import { readNamedFile } from "../../storage/index.ts";
import { runFolderFiles } from "../../optimizer/files.ts";

/**
 * Detects the kind of a file that espalier wrote from its `format` field.
 *
 * @throws EspalierError `file-missing`; `file-malformed` if espalier did not write the file
 */
export async function fileFormat(path: string): Promise<"artifact" | "evaluation"> {
  const problem = `Cannot read the file "${path}"`;
  const content = await readNamedFile(path, maxResultBytes, { problem });
  const format = formatIn(content);
  if (format?.startsWith("espalier-artifact/")) return "artifact";
  if (format?.startsWith("espalier-evaluation/")) return "evaluation";
  throw new EspalierError({
    code: "file-malformed",
    problem: "The file is neither an artifact nor a result",
    where: path,
    expected: "a file written by `espalier eval` with --artifact or --out",
    got: format === undefined ? "no `format` field" : `"format": "${format}"`,
  });
}

function formatIn(content: string): string | undefined {
  const { format } = (jsonOrUndefined(content) ?? {}) as { readonly format?: unknown };
  return typeof format === "string" ? format : undefined;
}

/** The largest result file that is read: about the length limit of a JavaScript string. */
export const maxResultBytes: number = 500 * mebibyte;

/** The artifact of a run, where the run's folder is named; any other path as it is. */
export function artifactOf(path: string): string {
  const { artifact } = runFolderFiles(path);
  return existsSync(artifact) ? artifact : path;
}
