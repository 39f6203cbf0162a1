import { cp, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openRegistry } from "espalier/artifact";
import { beforeAll, describe, expect, test } from "vitest";
import { runMain } from "../support/run-main.ts";
import { serveCli } from "../support/serve-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { chat, chatPath, vllmServer } from "../support/vllm-server.ts";

const allowed = "--allow-rehearsal-artifacts";
/** The shipped ones, whose modules lie beside them. */
const artifacts = resolve(import.meta.dirname, "../../artifacts");
const [version = ""] = (await openRegistry(artifacts).list("hanrag")).map((each) => each.version);
const file = resolve(artifacts, "hanrag", `${version}.json`);

/** A server that says it is no rehearsal, and answers whatever it is asked. */
async function realServer() {
  const server = await vllmServer();
  server.always(chatPath, chat({ content: '{"route":"straightforward","answer":"There."}' }));
  return server;
}

describe("an artifact that was compiled with the rehearsal LM", () => {
  test("is not run for a real LM, unless it is let in", async () => {
    await using server = await realServer();
    const run = ["run", file, "--input", '{"question":"Where?"}'];
    const lm = ["--lm", server.baseUrl, "--cache", "none", "--patience", "0"];
    const refused = await runMain([...run, ...lm]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("artifact-rehearsed");
    expect(refused.stderr).toContain(allowed);
    expect(server.requests.filter(({ path }) => path === chatPath)).toEqual([]);
    await runMain([...run, ...lm, allowed]);
    expect(server.requests.filter(({ path }) => path === chatPath).length).toBeGreaterThan(0);
    expect((await runMain(run)).code).toBe(0);
  });

  describe("in a registry", () => {
    const serving = "optimizers/serving.ts";
    let registry = "";
    beforeAll(async () => {
      const folder = await temporaryFolder();
      registry = join(folder.path, "artifacts");
      await cp(artifacts, registry, { recursive: true });
      return () => folder[Symbol.asyncDispose]();
    });

    test("is neither served to a real LM nor listed, and keeps a server from starting as production", async () => {
      await using server = await realServer();
      const lm = [
        "--lm",
        server.baseUrl,
        "--rehearsal",
        "--artifacts",
        registry,
        "--state",
        "none",
      ];
      const namesOf = async (args: readonly string[]) => {
        const { url, end } = await serveCli([serving, ...args]);
        const listed = (await (await fetch(`${url}/v1/models`)).json()) as {
          readonly data: readonly { readonly id: string }[];
        };
        await end();
        return listed.data.map(({ id }) => id).filter((id) => id.startsWith("hanrag"));
      };
      expect(await namesOf(lm)).toEqual(["hanrag"]);
      expect(await namesOf([...lm, allowed])).toEqual(["hanrag", `hanrag@${version}`]);
      expect(
        await namesOf(["--lm", "rehearsal", "--artifacts", registry, "--state", "none"]),
      ).toContain(`hanrag@${version}`);

      await openRegistry(registry).promote("hanrag", version, "production");
      const refused = await runMain(["serve", serving, ...lm, "--port", "0"]);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain("artifact-rehearsed");
    });

    test("is not served to the real LM of the serving either, whatever --lm says", async () => {
      const file = join(registry, "..", "real-serving.ts");
      const url = (path: string) => JSON.stringify(pathToFileURL(resolve(path)).href);
      await writeFile(
        file,
        `import declare from ${url(serving)};
        import { serving } from ${url("src/serve/index.ts")};
        const identity = { provider: "vllm", model: "Qwen/real" };
        const lm = { identity, doGenerate: () => Promise.reject(new Error("No call is wanted.")) };
        export default async (parts) => serving({ ...(await declare(parts)), lm });`,
      );
      const questions = join(registry, "..", "real-questions.jsonl");
      await writeFile(questions, '{"id":"q1","input":{"question":"Where?"}}\n');
      const refused = await runMain(
        ["batch", file, "--rehearsal", "--model", `hanrag@${version}`, "--artifacts"].concat([
          registry,
          "--input",
          questions,
          "--out",
          `${questions}.out`,
        ]),
      );
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain("Qwen/real");
    });

    test("answers no batch for a real LM", async () => {
      await using server = await realServer();
      const questions = join(registry, "..", "questions.jsonl");
      await writeFile(questions, '{"id":"q1","input":{"question":"Where?"}}\n');
      const batch = ["batch", serving, "--model", `hanrag@${version}`, "--artifacts", registry];
      const files = ["--input", questions, "--out", `${questions}.out`];
      const refused = await runMain([...batch, ...files, "--lm", server.baseUrl, "--rehearsal"]);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain("artifact-rehearsed");
      expect(server.requests.filter(({ path }) => path === chatPath)).toEqual([]);
    });
  });
});
