import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import type { LlamaModel } from "node-llama-cpp";
import type { LmIdentity } from "../../../src/contract/index.ts";
import { EspalierError, messageOf } from "../../../src/errors/index.ts";
import { surroundings } from "./surroundings.ts";
import { isNoSuchFile, isPackageMissing } from "../../../src/internal/index.ts";

/** node-llama-cpp, which is loaded once a process at the first use. */
export type LlamaPackage = typeof import("node-llama-cpp");

export interface LoadedModel {
  readonly llama: LlamaPackage;
  readonly model: LlamaModel;
  /** Names the weights by their hash. */
  readonly identity: LmIdentity;
}

/**
 * Loads a GGUF file for the CPU.
 *
 * @throws EspalierError `part-missing` without node-llama-cpp, `file-missing`, `file-malformed`
 */
export async function loadModel(path: string): Promise<LoadedModel> {
  const llama = await llamaPackage();
  const name = `${basename(path, ".gguf")}@${(await fileHash(path)).slice(0, 12)}`;
  const identity = { provider: "local", model: name };
  const engine = await started(llama);
  try {
    return { llama, identity, model: await engine.loadModel({ modelPath: path, gpuLayers: 0 }) };
  } catch (error) {
    throw new EspalierError({
      code: "file-malformed",
      problem: `llama.cpp cannot read ${basename(path)}`,
      where: path,
      expected: "a GGUF file of a model that llama.cpp supports",
      got: messageOf(error),
      cause: error,
    });
  }
}

/** Whether a model reads alone: every token sees those behind it, and none can be written. */
export function isEncoder({ fileInfo }: LlamaModel): boolean {
  return fileInfo.architectureMetadata.attention?.causal === false;
}

let engine: ReturnType<LlamaPackage["getLlama"]> | undefined;

function started({ getLlama, LlamaLogLevel }: LlamaPackage): ReturnType<LlamaPackage["getLlama"]> {
  engine ??= getLlama({
    gpu: false,
    // 0 lets each context have the threads that it asks for.
    maxThreads: 0,
    // Binaries come with npm; nothing is fetched or compiled behind a user's back.
    build: "never",
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
  });
  return engine;
}

async function llamaPackage(): Promise<LlamaPackage> {
  try {
    return await import("node-llama-cpp");
  } catch (error) {
    if (!isPackageMissing(error, "node-llama-cpp")) throw error;
    const { binary } = surroundings();
    throw new EspalierError({
      code: "part-missing",
      problem: "A local model needs the package node-llama-cpp, which is not installed",
      fix: `Run \`npm install --omit=optional node-llama-cpp@3.21.1 ${binary}@3.21.1\`.`,
      cause: error,
    });
  }
}

async function fileHash(path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
      hash.update(chunk as Buffer);
    }
  } catch (error) {
    if (!isNoSuchFile(error)) throw error;
    throw new EspalierError({
      code: "file-missing",
      problem: "The local model's file does not exist",
      where: path,
      expected: "a GGUF file",
      cause: error,
    });
  }
  return hash.digest("hex");
}
