import type { EvaluationStopped } from "../../evaluate/index.ts";
import { writeFileAtomic } from "../../storage/index.ts";
import type { EvaluationFile } from "./evaluation-file.ts";
import { evaluationFormat } from "./evaluation-file.ts";

export type StoppedContext = Omit<EvaluationFile, "evaluation"> & {
  readonly program: { readonly name: string; readonly version: string };
  readonly metric: { readonly name: string; readonly version: string };
  readonly seed: number;
};

/** Writes the finished rows of a stopped evaluation; no figure is made of them. */
export async function writeStopped(
  path: string,
  context: StoppedContext,
  { code, message, rows, total }: EvaluationStopped,
): Promise<void> {
  const file = { format: evaluationFormat, state: "stopped", ...context, code, message, total };
  await writeFileAtomic(path, `${JSON.stringify({ ...file, rows })}\n`);
}
