import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";

const folder = resolve(import.meta.dirname, "../../../optimizers");

/** Every study that is shipped, by name, with the path of its file. */
export const studyFiles: readonly (readonly [name: string, path: string])[] = readdirSync(folder)
  .filter((file) => file.endsWith(".ts") && isStudyFile(resolve(folder, file)))
  .toSorted()
  .map((file) => [file.replace(/\.ts$/, ""), resolve(folder, file)]);

function isStudyFile(path: string): boolean {
  return /^ *(export default |return )?study\(/m.test(readFileSync(path, "utf8"));
}
