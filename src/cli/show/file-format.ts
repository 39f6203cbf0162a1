import { EspalierError, messageOf } from "../../errors/index.ts";
import { jsonOrUndefined } from "../../internal/index.ts";
import { readFileWithin } from "../../storage/index.ts";
import { maxResultBytes } from "../arguments/max-result-bytes.ts";

/**
 * What kind of file espalier wrote: the part of `format` before the version.
 *
 * @throws EspalierError `file-missing`, `file-malformed` when espalier did not write it
 */
export async function fileFormat(path: string): Promise<"artifact" | "evaluation"> {
  const content = await readFileWithin(path, maxResultBytes).catch((error: unknown) => {
    throw new EspalierError({
      code: "file-missing",
      problem: `The file "${path}" cannot be read`,
      got: messageOf(error),
      cause: error,
    });
  });
  const format = formatIn(content);
  if (format?.startsWith("espalier-artifact/")) return "artifact";
  if (format?.startsWith("espalier-evaluation/")) return "evaluation";
  throw new EspalierError({
    code: "file-malformed",
    problem: "The file is neither an artifact nor a result",
    where: path,
    expected: "what `espalier eval` writes with --artifact or --out",
    got: format === undefined ? "no `format` in it" : `"format": "${format}"`,
  });
}

function formatIn(content: string): string | undefined {
  const { format } = (jsonOrUndefined(content) ?? {}) as { readonly format?: unknown };
  return typeof format === "string" ? format : undefined;
}
