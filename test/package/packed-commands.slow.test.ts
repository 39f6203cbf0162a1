import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PackedInstall } from "../support/packed-install.ts";
import { packedInstall } from "../support/packed-install.ts";
import { writeReadmeExample } from "../support/readme-example.ts";

const repository = resolve(import.meta.dirname, "../..");

let user: PackedInstall;
let server: RunningServer;

beforeAll(async () => {
  user = packedInstall();
  writeReadmeExample(user.folder, 6);
  writeFileSync(
    join(user.folder, "serving.ts"),
    `import { chatModel, serving } from "espalier/serve";
    import { answerer } from "./answerer.ts";
    const passages = [{ id: "p1", text: "The mill was built in 1871." }];
    export default serving({
      name: "towns",
      models: [
        chatModel({
          id: "towns",
          program: answerer,
          inputOf: ({ question }) => ({ question, passages }),
          answerOf: ({ answer }) => ({ answer }),
        }),
      ],
    });`,
  );
  server = await modelServer();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  user[Symbol.dispose]();
});

describe("espalier installed alone", () => {
  it("evaluates and optimizes with --lm", () => {
    const lm = ["--lm", `${server.url}/v1`];
    const evaluated = espalier("eval", "answerer.ts", ...lm);
    expect(evaluated).toMatchObject({ status: 0, stdout: expect.stringContaining("token_f1") });
    expect(evaluated.stdout).toContain("LM model-1 (vllm), seed 0");
    const optimized = espalier("optimize", "answerer.ts", ...lm, "--budget", "60");
    expect(optimized).toMatchObject({ status: 0 });
    expect(optimized.stdout).toMatch(/^artifact /m);
  });

  it("lists the shipped experiments, and runs one with --lm", () => {
    const listed = espalier("experiment", "--list");
    expect(listed.status).toBe(0);
    const files = listed.stdout.split("\n").map((line) => line.split("  ")[0] ?? "");
    const ablation = files.find((file) => file.includes("hanrag-ablation")) ?? "none";
    const lm = ["--lm", `${server.url}/v1`, "--cache", "none"];
    const ran = espalier("experiment", ablation, ...lm, "--sample", "2");
    expect({ status: ran.status, stderr: ran.stderr }).toMatchObject({ status: 0 });
    expect(ran.stdout).toContain("| hanrag | token_f1 | ");
    expect(ran.stdout).not.toMatch(/mocks play|with mocks/);
    const study = ablation.replace("experiments/hanrag-ablation", "hanrag");
    const evaluated = espalier("eval", study, ...lm, "--limit", "2");
    expect(evaluated).toMatchObject({ status: 0, stdout: expect.stringContaining("four-shelves") });
    const optimizers = dirname(study);
    const candidate = join(optimizers, "candidates/hanrag/without-refiner.json");
    const ablated = espalier("eval", study, ...lm, "--limit", "2", "--candidate", candidate);
    expect(ablated).toMatchObject({ status: 0, stdout: expect.stringContaining("four-shelves") });
  });

  it("has every candidate and servers file of the repository, unchanged", () => {
    const files = globSync("optimizers/**/*.json", { cwd: repository });
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const installed = join(user.folder, "node_modules/espalier/dist", file);
      expect(readFileSync(installed, "utf8")).toBe(readFileSync(join(repository, file), "utf8"));
    }
  });

  it("serves with --lm", async () => {
    await using served = await started(
      spawn(
        process.execPath,
        ["node_modules/.bin/espalier", "serve", "serving.ts"].concat(
          ["--lm", `${server.url}/v1`],
          ["--port", "0"],
        ),
        { cwd: user.folder, stdio: ["ignore", "pipe", "ignore"] },
      ),
    );
    const response = await fetch(`${served.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "towns",
        messages: [{ role: "user", content: "When was the mill built?" }],
      }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-espalier-lm")).toBeNull();
    const { choices } = (await response.json()) as {
      readonly choices: readonly { readonly message: { readonly content: string } }[];
    };
    expect(choices[0]?.message.content).not.toBe("");
  });

  it("shows its run in the studio", async () => {
    await using served = await started(
      spawn(process.execPath, ["node_modules/.bin/espalier", "studio", ".", "--port", "0"], {
        cwd: user.folder,
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
    const figuresOfRun = async (): Promise<unknown> => {
      const { runs } = JSON.parse(await (await fetch(`${served.url}/api/listing`)).text());
      return runs[0]?.figures;
    };
    await expect.poll(figuresOfRun).toMatchObject({ program: "answerer", isRehearsal: false });
  });

  it.each([
    ["eval", "answerer.ts"],
    ["optimize", "answerer.ts", "--budget", "60"],
    ["run", "answerer.ts", "--input", '{"question":"Where?","passages":[]}'],
    ["serve", "serving.ts", "--lm", "rehearsal"],
  ])("%s says what to install without a server", (...words) => {
    const { status, stdout, stderr } = espalier(...words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("The rehearsal LM is not installed");
    expect(stderr).toContain("Name a server with --lm URL");
    expect(stderr).toContain("npm install --save-dev @espalier/rehearsal");
  });

  it.each([
    ["postgres", ["corpus", "inspect", "postgres://127.0.0.1:1/towns"]],
    ["lance", ["corpus", "inspect", "lance:towns"]],
    ["tracking", ["mlflow", "result.json", "--url", "http://127.0.0.1:1"]],
  ])("a command that needs @espalier/%s says so", (name, words) => {
    const { status, stdout, stderr } = espalier(...words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(`npm install @espalier/${name}`);
  });

  it("serve asks for an LM without --lm", () => {
    const { status, stderr } = espalier("serve", "serving.ts");
    expect(status).toBe(2);
    expect(stderr).toContain("No LM is given");
  });
});

describe("with the rehearsal package beside it", () => {
  beforeAll(() => user.add("rehearsal"));

  it("eval works by default, and labels its figures", () => {
    const { status, stdout } = espalier("eval", "answerer.ts", "--json");
    expect(status).toBe(0);
    expect(stdout).toContain("rehearsal: figures from the rehearsal LM");
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      rehearsal: true,
    });
  });

  it("its types are those of espalier, in a strict project with the libraries checked", () => {
    writeFileSync(
      join(user.folder, "mocks.ts"),
      `import { rehearsalEmbedder, rehearsalLm, rehearsalReranker, rehearsalScorer } from "@espalier/rehearsal";
      import type { Embedder, LanguageModel, PairScorer, Reranker } from "espalier";
      export const lm: LanguageModel = rehearsalLm();
      export const embedder: Embedder = rehearsalEmbedder();
      export const reranker: Reranker = rehearsalReranker();
      export const scorer: PairScorer = rehearsalScorer();\n`,
    );
    expect(compiled("mocks.ts")).toEqual({ status: 0, stdout: "" });
  });
});

describe("with the package for PostgreSQL beside it", () => {
  beforeAll(() => user.add("postgres"));

  it("corpus asks the server", () => {
    const { stderr } = espalier("corpus", "inspect", "postgres://127.0.0.1:1/towns");
    expect(stderr).toContain("search-failed: PostgreSQL could not be reached");
  });

  it("its index is a retriever of espalier, in a strict project with the libraries checked", () => {
    writeFileSync(
      join(user.folder, "database.ts"),
      `import { postgresIndex } from "@espalier/postgres";
      import type { Retriever } from "espalier";
      export const open = (url: string): Promise<Retriever> => postgresIndex({ url });\n`,
    );
    expect(compiled("database.ts")).toEqual({ status: 0, stdout: "" });
  });
});

describe("with the package for search engines beside it", () => {
  beforeAll(() => user.add("search-engines"));

  it("they are retrievers of espalier, in a strict project with the libraries checked", () => {
    writeFileSync(
      join(user.folder, "engines.ts"),
      `import { elasticsearchSearch } from "@espalier/search-engines";
      import type { Retriever } from "espalier";
      const towns: Retriever = elasticsearchSearch({ url: "http://127.0.0.1:1", index: "towns" });
      console.log(towns.name);\n`,
    );
    expect(compiled("engines.ts")).toEqual({ status: 0, stdout: "" });
    expect(user.node("engines.ts").stdout).toBe("elasticsearch\n");
  });
});

describe("with the packages for judges and MCP servers beside it", () => {
  beforeAll(() => {
    user.add("judge");
    user.add("mcp");
  });

  it("their metrics and tools are those of espalier, in a strict project with the libraries checked", () => {
    writeFileSync(
      join(user.folder, "judged.ts"),
      `import { faithfulness } from "@espalier/judge";
      import { mcpTools } from "@espalier/mcp";
      import type { Metric, Tool } from "espalier";
      const fields = { question: "question", answer: "answer", passages: "passages" } as const;
      export const judged: Metric<never, never, never> = faithfulness(fields);
      export const tools = async (): Promise<readonly Tool[]> =>
        (await mcpTools({ server: { command: "none" } })).tools;
      console.log(judged.name, typeof tools);\n`,
    );
    expect(compiled("judged.ts")).toEqual({ status: 0, stdout: "" });
    expect(user.node("judged.ts").stdout).toBe("rl_f function\n");
  });
});

describe("with the package for the AI SDK beside it", () => {
  beforeAll(() => user.add("ai-sdk"));

  it("its models and tools are those of espalier, in a strict project with the libraries checked", () => {
    writeFileSync(
      join(user.folder, "sdk.ts"),
      `import { aiSdkTools, fromAiSdk } from "@espalier/ai-sdk";
      import type { LanguageModel, Tool } from "espalier";
      const unused = () => Promise.reject(new Error("It is asked nothing."));
      const asked = { doGenerate: unused, doStream: unused };
      const sdk = { specificationVersion: "v4", provider: "ours", modelId: "m", ...asked };
      export const lm: LanguageModel = fromAiSdk(sdk);
      export const tools: readonly Tool[] = aiSdkTools({});
      console.log(lm.identity.provider, tools.length);\n`,
    );
    expect(compiled("sdk.ts")).toEqual({ status: 0, stdout: "" });
    expect(user.node("sdk.ts").stdout).toBe("ours 0\n");
  });
});

describe("with the package for tracking beside it", () => {
  beforeAll(() => user.add("tracking"));

  it("eval and mlflow ask the servers", () => {
    const words = ["--lm", `${server.url}/v1`, "--out", "result.json"];
    const evaluated = espalier("eval", "answerer.ts", ...words, "--otlp", "http://127.0.0.1:1");
    expect(evaluated).toMatchObject({ status: 0 });
    expect(evaluated.stderr).toContain("OTLP at http://127.0.0.1:1 has not received everything");
    const { stderr } = espalier("mlflow", "result.json", "--url", "http://127.0.0.1:1");
    expect(stderr).toContain("tracking-failed: The tracking server could not be reached");
  });

  it("its trackers are those of a server, in a strict project with the libraries checked", () => {
    writeFileSync(
      join(user.folder, "trackers.ts"),
      `import { mlflow, otlp } from "@espalier/tracking";
      import type { AnswerTracker } from "espalier/serve";
      const url = "http://127.0.0.1:1";
      export const trackers: readonly AnswerTracker[] = [mlflow({ url }), otlp({ url })];\n`,
    );
    expect(compiled("trackers.ts")).toEqual({ status: 0, stdout: "" });
  });
});

function compiled(file: string): Pick<ReturnType<PackedInstall["node"]>, "status" | "stdout"> {
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024"];
  const lib = ["--lib", "es2024,esnext.disposable"];
  const ofNode = ["--typeRoots", join(repository, "node_modules/@types"), "--types", "node"];
  const { status, stdout } = user.node(compiler, ...flags, ...lib, ...ofNode, file);
  return { status, stdout };
}

function espalier(...words: readonly string[]): ReturnType<PackedInstall["node"]> {
  return user.node("node_modules/.bin/espalier", ...words);
}

interface RunningServer extends AsyncDisposable {
  readonly url: string;
}

/**
 * An OpenAI-compatible server from this tree, in a process of its own, under another model's name.
 */
function modelServer(): Promise<RunningServer> {
  const code = `
    import { serveRehearsal } from "@espalier/rehearsal";
    console.log((await serveRehearsal({ model: "model-1" })).url);`;
  const flags = ["--conditions=espalier:source", "--input-type=module", "--eval", code];
  return started(
    spawn(process.execPath, flags, { cwd: repository, stdio: ["ignore", "pipe", "inherit"] }),
  );
}

/** Resolves once the process has printed where it listens. */
async function started(child: ReturnType<typeof spawn>): Promise<RunningServer> {
  const address = /http:\/\/127\.0\.0\.1:\d+/;
  let printed = "";
  while (!address.test(printed)) {
    const [chunk] = (await once(child.stdout ?? child, "data")) as [Buffer];
    printed += chunk.toString();
  }
  return {
    url: address.exec(printed)?.[0] ?? "",
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}
