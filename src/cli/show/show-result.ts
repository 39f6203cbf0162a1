import { evaluationSummary, readEvaluation } from "../eval/evaluation-file.ts";
import { evaluationText } from "../eval/evaluation-text.ts";
import { print } from "../terminal/terminal.ts";

/** Prints the result of an evaluation from its file. */
export async function showResult(path: string, json: boolean): Promise<void> {
  const file = await readEvaluation(path);
  print(json ? JSON.stringify(evaluationSummary(file)) : evaluationText(file));
}
