import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TunableProgram } from "espalier";
import { scriptedLm } from "../support/scripted-lm.ts";

const repository = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(repository, "docs/guide/agents.md"), "utf8");
// Inside of the repository, so that the package name means this tree.
let folder = "";
beforeAll(() => (folder = mkdtempSync(join(repository, ".tmp-agents-page-"))));
afterAll(() => rmSync(folder, { recursive: true }));

it("the program of the page on agents runs as it says", async () => {
  const [, code = ""] = /<!-- file: press[.]ts -->\s*```ts\n([^]*?)```/.exec(page) ?? [];
  const path = join(folder, "press.ts");
  writeFileSync(path, code);
  const { press } = (await import(path)) as { press: TunableProgram };
  await using server = await scriptedLm((...[, index]: readonly [unknown, number]) =>
    index === 0
      ? {
          toolCalls: [
            ["in_stock", { material: "ink" }],
            ["order", { material: "ink", units: 8 }],
          ],
        }
      : '{"answer":"There are 12 units of ink.","units":12}',
  );
  const question = { question: "How much ink is there?" };
  await expect(press.run(question, server)).resolves.toMatchObject({ units: 12 });
  const results = () =>
    server.received
      .at(-1)
      ?.messages.filter(({ role }) => role === "tool")
      .map(({ content }) => content);
  expect(results()).toEqual(['{"units":12}', "ordered 8 of ink"]);
  expect(press.components().map(({ kind, path: at }) => `${kind} ${at}`)).toContain(
    "toolDescription clerk.in_stock.material",
  );
});
