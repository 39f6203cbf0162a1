import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SetParagraph } from "./set-question.ts";

/** Words of a passage, as open-domain question answering has cut Wikipedia since DrQA and DPR. */
const passageWords = 100;

/**
 * The files of evidence about a question, cut into passages; a file that is not there gives none,
 * since questions and evidence are separate downloads.
 */
export async function evidenceParagraphs(
  folder: string,
  evidence: readonly { readonly title: string; readonly file: string }[],
): Promise<readonly SetParagraph[]> {
  const found = evidence
    .map(({ title, file }) => ({ title, path: join(folder, file) }))
    // A file name comes from the data, and must not lead out of the folder.
    .filter(({ path }) => path.startsWith(join(folder, "/")) && existsSync(path));
  const cut = await Promise.all(
    found.map(async ({ title, path }) =>
      passagesOf(await readFile(path, "utf8")).map((text) => ({ title, text })),
    ),
  );
  return cut.flat();
}

function passagesOf(text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return Array.from({ length: Math.ceil(words.length / passageWords) }, (_, index) =>
    words.slice(index * passageWords, (index + 1) * passageWords).join(" "),
  );
}
