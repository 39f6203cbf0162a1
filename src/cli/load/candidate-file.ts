import { z } from "zod";
import { EspalierError } from "../../errors/index.ts";
import { componentSchema } from "../../program/files.ts";
import type { TunableProgram } from "../../program/index.ts";
import { readInput } from "../arguments/read-input.ts";

const candidateFile = z.array(componentSchema({ isStrict: false }));

const wanted = {
  name: "candidate file",
  expected: `[{ "kind": "instruction", "path": "answer", "value": "..." }, ...]`,
  fix: "See `components` in the output of `espalier show STUDY --json`",
};

/**
 * Replaces the program's components with those of a JSON file. Without a file, returns the program
 * unchanged. The file holds a list in the shape of `components` in `espalier show STUDY --json`.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function withCandidate<TInput, TOutput>(
  program: TunableProgram<TInput, TOutput>,
  path: string | undefined,
): Promise<TunableProgram<TInput, TOutput>> {
  if (path === undefined) return program;
  const given = await readInput(`@${path}`, wanted);
  const parsed = candidateFile.safeParse(given);
  if (parsed.success) return program.with(parsed.data);
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw new EspalierError({
    code: "file-malformed",
    problem: `The candidate file is not a list of components: ${place}${issue?.message}`,
    where: path,
    ...gotOf(given),
    expected: wanted.expected,
    fix: wanted.fix,
  });
}

/**
 * The format of a file that espalier wrote. An artifact, say, holds more than this command would
 * check.
 */
function gotOf(given: unknown): { readonly got?: string } {
  if (typeof given !== "object" || given === null || !("format" in given)) return {};
  return { got: `"format": ${JSON.stringify(given.format)}` };
}
