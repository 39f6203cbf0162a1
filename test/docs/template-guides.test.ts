import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { codeBlocksIn } from "../../scripts/docs/markdown.ts";
import { templates } from "../../src/cli/init/start-project.ts";

const repository = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(resolve(repository, path), "utf8");

// The projects themselves are run by test/cli/init.
test.each(Object.keys(templates))(
  "the guide of the template %s shows its files as they are",
  (template) => {
    const blocks = codeBlocksIn(read(`docs/guide/${template}.md`));
    const shown = blocks.filter(({ language }) => language === "ts");
    expect(shown.length).toBeGreaterThan(1);
    for (const { file = "", code } of shown) {
      expect(code.trimEnd()).toBe(read(`templates/${template}/${file}`).trimEnd());
    }
  },
);
