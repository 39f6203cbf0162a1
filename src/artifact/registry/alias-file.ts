import { join } from "node:path";
import { z } from "zod";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { exactOptional, isNoSuchFile, parseJson } from "../../internal/index.ts";
import { readFileWithin, writeFileAtomic } from "../../storage/index.ts";
import type { Aliases } from "./aliases.ts";
import { aliasNames, noAliases } from "./aliases.ts";
import { isVersion } from "./version-name.ts";

/** Name of the alias file in a program's folder. */
export const aliasesName = "aliases.json";

const maxBytes = 16 * 2 ** 20;
const format = "espalier-aliases/1";
const version = z.string().refine(isVersion, "expected 12 hexadecimal digits");
const move = z.strictObject({
  alias: z.enum(aliasNames),
  kind: z.enum(["promote", "rollback", "withdraw"]),
  from: version.nullable(),
  to: version.nullable(),
  at: z.iso.datetime(),
  by: exactOptional(z.string()),
  why: exactOptional(z.string()),
});
const schema = z.strictObject({
  format: z.literal(format),
  production: version.nullable(),
  candidate: version.nullable(),
  history: z.array(move),
});

/**
 * The aliases of the program in a folder; none if there is no file.
 *
 * @throws EspalierError `file-malformed`
 */
export async function readAliases(folder: string): Promise<Aliases> {
  const path = join(folder, aliasesName);
  const content = await readFileWithin(path, maxBytes).catch((error: unknown) => {
    if (isNoSuchFile(error)) return null;
    throw malformed(path, error);
  });
  if (content === null) return noAliases;
  try {
    const { production, candidate, history } = schema.parse(parseJson(content));
    return { production, candidate, history };
  } catch (error) {
    throw malformed(path, error);
  }
}

export async function writeAliases(folder: string, aliases: Aliases): Promise<void> {
  const text = JSON.stringify({ format, ...aliases }, null, 2);
  await writeFileAtomic(join(folder, aliasesName), `${text}\n`, { isShared: true });
}

function malformed(path: string, error: unknown): EspalierError {
  const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
  return new EspalierError({
    code: "file-malformed",
    problem: "The program's aliases cannot be read",
    where: path,
    expected: `"format": "${format}", production, candidate and history, as espalier writes it`,
    got:
      issue === undefined
        ? messageOf(error)
        : `\`${issue.path.map(String).join(".")}\`: ${issue.message}`,
    fix: "Restore the file, or remove it and promote again",
    cause: error,
  });
}
