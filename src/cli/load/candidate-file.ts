import { z } from "zod";
import { readArtifact } from "../../artifact/files.ts";
import { EspalierError } from "../../errors/index.ts";
import { componentSchema } from "../../program/files.ts";
import type { TunableProgram } from "../../program/index.ts";
import { runsFolder } from "../arguments/runs-folder.ts";
import { artifactOf } from "./file-format.ts";
import { readInput } from "../arguments/read-input.ts";

const candidateFile = z.array(componentSchema({ isStrict: false }));

const mlflowScheme = "mlflow:";

const wanted = {
  name: "candidate file",
  expected: `[{ "kind": "instruction", "path": "answer", "value": "..." }, ...]`,
  fix: "See `components` in the output of `espalier show STUDY --json`",
  whereabouts: `Each run has an artifact.json, by default under ${runsFolder}`,
};

/**
 * Replaces the program's components with those of a JSON file, or its instructions with prompts of
 * MLflow. Without either, returns the program unchanged. The file holds a list in the shape of
 * `components` in `espalier show STUDY --json`; or it is an artifact, which has one.
 *
 * @param mlflow the server of the prompts. @default MLFLOW_TRACKING_URI
 * @throws EspalierError `file-missing`, `file-malformed`, `usage-invalid` without
 *   the package of MLflow, and what its `withPrompts` throws
 */
export async function withCandidate<TInput, TOutput>(
  program: TunableProgram<TInput, TOutput>,
  path: string | undefined,
  mlflow?: string,
): Promise<TunableProgram<TInput, TOutput>> {
  return (await pinnedCandidate(program, path, mlflow)).program;
}

/** The same, with the candidate's name as it stays when an alias moves. */
export async function pinnedCandidate<TInput, TOutput>(
  program: TunableProgram<TInput, TOutput>,
  given: string | undefined,
  mlflow: string | undefined,
): Promise<{
  readonly program: TunableProgram<TInput, TOutput>;
  readonly pinned: string | undefined;
}> {
  if (!given?.startsWith(mlflowScheme)) {
    return { program: await withFile(program, given), pinned: given };
  }
  const { openMlflow } = await import("./open-mlflow.ts");
  const { server, tracking } = await openMlflow(mlflow, { option: "--mlflow" });
  const found = await tracking.withPrompts(server, program, given.slice(mlflowScheme.length));
  return { program: found.program, pinned: `${mlflowScheme}${found.pinned}` };
}

async function withFile<TInput, TOutput>(
  program: TunableProgram<TInput, TOutput>,
  named: string | undefined,
): Promise<TunableProgram<TInput, TOutput>> {
  if (named === undefined) return program;
  const path = artifactOf(named);
  const given = await readInput(`@${path}`, wanted);
  if (isArtifact(given)) return program.with((await readArtifact(path)).compiled.components);
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

/** Of an artifact only the components are taken: what it says of models and data stays unread. */
function isArtifact(given: unknown): boolean {
  return gotOf(given).got?.startsWith('"format": "espalier-artifact/') === true;
}

/** The format of a file that espalier wrote. */
function gotOf(given: unknown): { readonly got?: string } {
  if (typeof given !== "object" || given === null || !("format" in given)) return {};
  return { got: `"format": ${JSON.stringify(given.format)}` };
}
