import { readFileSync } from "node:fs";
import { isNoSuchFile, jsonOrUndefined, objectOf, text } from "../../internal/index.ts";
import { runFolderFiles } from "./run-folder.ts";

/**
 * Name of the optimizer that a run was begun with; `undefined` for a folder without a journal, or
 * with one whose first line is not whole: opening the folder says what is wrong.
 */
export function recordedOptimizer(folder: string): string | undefined {
  const [first = ""] = textOf(runFolderFiles(folder).journal).split("\n", 1);
  const head = jsonOrUndefined(first);
  if (shape(head) !== null) return undefined;
  const { run } = head as { readonly run: { readonly optimizer: { readonly name: string } } };
  return run.optimizer.name;
}

const shape = objectOf({ run: objectOf({ optimizer: objectOf({ name: text }) }) });

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isNoSuchFile(error)) return "";
    throw error;
  }
}
