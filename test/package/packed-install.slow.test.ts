import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pageAdapter } from "espalier/serve";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linksIn } from "../../scripts/docs/markdown.ts";
import type { PackedInstall } from "../support/packed-install.ts";
import { packedInstall } from "../support/packed-install.ts";

const repository = resolve(import.meta.dirname, "../..");
const manifest: {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
} = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
const doors = Object.keys(manifest.exports)
  .filter((door) => !door.endsWith(".json") && !door.includes("*"))
  .map((door) => door.replace(".", "espalier"));

let user: PackedInstall;

beforeAll(() => {
  user = packedInstall();
});

afterAll(() => user[Symbol.dispose](), 120_000);

test("installing it writes nothing into the project but npm's own files", () => {
  expect(readdirSync(user.folder).toSorted()).toEqual([
    "node_modules",
    "package-lock.json",
    "package.json",
  ]);
  const { packages }: { packages: Record<string, { readonly hasInstallScript?: boolean }> } =
    JSON.parse(readFileSync(join(user.folder, "package-lock.json"), "utf8"));
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted).toEqual([]);
});

test("what is installed takes no more room than was measured", async ({ annotate }) => {
  const installed = join(user.folder, "node_modules");
  const total = roomOf(installed);
  const own = roomOf(join(installed, "espalier"));
  await annotate(`installed: ${JSON.stringify(total)}, of which espalier: ${JSON.stringify(own)}`);
  expect(own.files).toBeLessThan(1_550);
  expect(own.megabytes).toBeLessThan(13);
  expect(total.megabytes).toBeLessThan(64);
});

test("no file is in it twice, as source and compiled, and none maps one to the other", () => {
  const own = join(user.folder, "node_modules/espalier");
  const files = readdirSync(own, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => /(?<![.]d)[.]ts$/.test(file));
  // `espalier init` copies these.
  expect(sources.filter((file) => !file.startsWith("dist/templates/"))).toEqual([]);
  expect(files.filter((file) => file.endsWith(".map"))).toEqual([]);
});

test("every link of a page in it leads to a file in it", () => {
  const own = join(user.folder, "node_modules/espalier");
  const pages = readdirSync(own, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".md"),
  );
  expect(pages.length).toBeGreaterThan(30);
  const dead = pages.flatMap((page) =>
    linksIn(readFileSync(join(own, page), "utf8"))
      .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
      .filter((target) => !existsSync(join(own, dirname(page), target.replace(/#.*/, ""))))
      .map((target) => `${page}: ${target}`),
  );
  expect(dead).toEqual([]);
});

test("ax is inside the package with its licence, and not installed beside it", () => {
  const licence = join(user.folder, "node_modules/espalier/dist/src/ax/LICENSE.ax.txt");
  expect(readFileSync(licence, "utf8")).toMatch(
    /@ax-llm[/]ax 24[^]*Apache License\s+Version 2[.]0/,
  );
  expect(readdirSync(join(user.folder, "node_modules"))).not.toContain("@ax-llm");
});

test("the ax inside renders prompts, corrects replies and reaches a hosted provider", () => {
  const { status, stdout, stderr } = runFile(`
    import { createServer } from "node:http";
    import { predict, signature, text } from "espalier";
    import { hosted } from "espalier/hosted";
    import { defaultSampling } from "espalier/lm";
    import { z } from "zod";

    const contents = ['{"answer":"Go away."}', '{"answer":"Gladly."}'];
    const prompts: string[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        prompts.push(body);
        const content = contents.shift();
        response.statusCode = content === undefined ? 503 : 200;
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({
          id: "1", object: "chat.completion", created: 1, model: "m",
          choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const apiUrl = \`http://127.0.0.1:\${port}/v1\`;
    const lm = hosted({ provider: "openai-compatible", model: "m", apiUrl });
    const reply = signature({
      name: "reply",
      instruction: "Reply politely.",
      input: { question: text("question") },
      output: {
        answer: z.string().refine((answer) => !answer.includes("away"), {
          params: { id: "polite/1" },
          error: "It must be polite.",
        }),
      },
    });
    const made = await predict(reply).run({ question: "Help?" }, { lm });
    const request = {
      messages: [{ role: "user", content: "hi" }], sampling: defaultSampling, seed: 0,
    } as const;
    const refused = await lm.doGenerate(request).catch((error) => error.code);
    console.log(JSON.stringify({
      made, refused, corrected: prompts[1]?.includes("It must be polite."),
    }));
    server.close();
  `);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({
    made: { answer: "Gladly." },
    refused: "lm-unavailable",
    corrected: true,
  });
});

test("every shipped program and signature can be imported", () => {
  const { status, stdout, stderr } = runFile(`
    import { globSync } from "node:fs";
    const names = [
      ...globSync("*/index.js", { cwd: "node_modules/espalier/dist/programs" })
        .map((file) => \`programs/\${file.slice(0, -"/index.js".length)}\`),
      ...globSync("*.js", { cwd: "node_modules/espalier/dist/signatures" })
        .map((file) => \`signatures/\${file.slice(0, -".js".length)}\`),
    ];
    for (const name of names) await import(\`espalier/\${name}\`);
    console.log(names.length);
  `);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(Number(stdout)).toBeGreaterThan(40);
});

test.each(doors)("a user's TypeScript file imports %s under plain Node.js", async (door) => {
  const { status, stdout, stderr } = runFile(`
    import * as door from "${door}";
    const names: readonly string[] = Object.keys(door);
    console.log(JSON.stringify(names));
  `);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const fromSource = Object.keys((await import(door)) as object);
  expect(fromSource).not.toEqual([]);
  expect(new Set(JSON.parse(stdout) as string[])).toEqual(new Set(fromSource));
});

test("the types of every door resolve in a user's strict project, those of libraries checked", () => {
  const imports = doors.map((door, index) => `import * as door${index} from "${door}";`);
  const uses = doors.map((_, index) => `door${index}`);
  writeFileSync(
    join(user.folder, "types.ts"),
    `${imports.join("\n")}\nimport { EspalierError } from "espalier";
export const doors: readonly object[] = [${uses.join(", ")}];
// @ts-expect-error a code that is in no table
new EspalierError({ code: "no-such-code", problem: "p" });\n`,
  );
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024"];
  const lib = ["--lib", "es2024,esnext.disposable"];
  const ofNode = ["--typeRoots", join(repository, "node_modules/@types"), "--types", "node"];
  const { status, stdout } = user.node(compiler, ...flags, ...lib, ...ofNode, "types.ts");
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});

test("the page of a server is in the package, with all its parts", () => {
  const { status, stdout, stderr } = runFile(`
    import { pageAdapter } from "espalier/serve";
    console.log(JSON.stringify(pageAdapter().openPaths));
  `);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual(pageAdapter().openPaths);
});

test("npm links the command, and it knows its version", () => {
  const { status, stdout } = user.node("node_modules/.bin/espalier", "--version");
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${manifest.version}\n` });
});

/** Files, and the blocks that they take. */
function roomOf(folder: string): { readonly files: number; readonly megabytes: number } {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const sizes = found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).blocks * 512);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { files: sizes.length, megabytes: Math.round(bytes / 1e5) / 10 };
}

function runFile(code: string): ReturnType<PackedInstall["node"]> {
  writeFileSync(join(user.folder, "main.ts"), code);
  return user.node("main.ts");
}
