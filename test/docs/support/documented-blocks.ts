import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { codeBlocksIn, documentationPages, labBook } from "../../../scripts/docs/markdown.ts";

const repository = resolve(import.meta.dirname, "../../..");

/** Code blocks of all pages of the documentation, and of the lab book. */
export const blocks = [...documentationPages(repository), labBook].flatMap((page) =>
  codeBlocksIn(readFileSync(resolve(repository, page), "utf8")).map((block) => ({
    page,
    ...block,
    place: `${page}:${block.line}`,
  })),
);
export function inLanguage(...languages: readonly string[]): typeof blocks {
  return blocks.filter(({ language }) => languages.includes(language));
}
