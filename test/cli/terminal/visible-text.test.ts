import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { compileArtifact, writeArtifact } from "espalier/artifact";
import { replaceStderrLine } from "../../../src/cli/terminal/terminal.ts";
import { visibleText } from "../../../src/internal/index.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { answerer } from "../fixtures/towns.ts";

it("shows what a terminal would obey as escapes, and leaves lines, tabs and letters of any language", () => {
  expect(visibleText("\u001b]0;OWNED\u0007\u001b[2J")).toBe(
    String.raw`\u001b]0;OWNED\u0007\u001b[2J`,
  );
  expect(visibleText("\u009b31m\u0085\u007f\0")).toBe(String.raw`\u009b31m\u0085\u007f\u0000`);
  expect(visibleText("a\u202eb\u2066c\u2028d\u2029e")).toBe(
    String.raw`a\u202eb\u2066c\u2028d\u2029e`,
  );
  expect(visibleText("a\u200eb\u200fc\u061cd")).toBe(String.raw`a\u200eb\u200fc\u061cd`);
  expect(visibleText("over\rwritten\r\n")).toBe("over\\u000dwritten\r\n");
  const plain = "line\n\tindented, ümläut, 漢字, שלום, مرحبا, 👩‍🚀";
  expect(visibleText(plain)).toBe(plain);
});

it("shows a line feed inside of a line of a table, which would forge another line", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a.json");
  const lm = { provider: "some", model: "model\nEM  1.0000  on test" };
  const artifact = compileArtifact({ program: answerer, module: "./a.ts", lm, samples: {} });
  await writeArtifact(path, artifact);
  const { code, stdout } = await runMain(["show", path]);
  expect(code).toBe(0);
  expect(stdout).toContain(String.raw`LM model\u000aEM  1.0000  on test (some)`);
  expect(stdout).not.toMatch(/^EM/m);
  const { stdout: json } = await runMain(["show", path, "--json"]);
  expect(JSON.parse(json).compiled.lm).toEqual(lm);
});

it("keeps progress, which is rewritten in place, on its line", () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  replaceStderrLine("study\nforged: 1/2");
  const written = write.mock.calls.flat();
  replaceStderrLine("");
  write.mockRestore();
  expect(written).toEqual(["\rstudy\\u000aforged: 1/2\u001b[K"]);
});

it("leaves JSON the same JSON", () => {
  let every = "";
  for (let code = 0; code < 0x3000; code++) every += String.fromCharCode(code);
  const json = JSON.stringify({ [every]: [every] }, null, 2);
  expect(JSON.parse(visibleText(json))).toEqual({ [every]: [every] });
});

it("is on the way of all that the command line prints", async () => {
  const names = (await readdir("src/cli", { recursive: true })).filter((name) =>
    name.endsWith(".ts"),
  );
  const writers: string[] = [];
  for (const name of names) {
    const source = await readFile(`src/cli/${name}`, "utf8");
    if (/\bconsole\.|\bstd(out|err)\.write|\bwriteSync\(/.test(source)) writers.push(name);
  }
  // The other runs on a Node.js that is too old for the rest, and prints its own words alone.
  expect(writers.toSorted()).toEqual(["bin.ts", "terminal/terminal.ts"]);
});
