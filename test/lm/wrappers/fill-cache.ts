// Run as a child process: fills a cache with 100 keys that all fill, and 100 of its own.
import { sha256 } from "../../../src/internal/index.ts";
import { diskCache } from "../../../src/lm/index.ts";

const [path = "", name = ""] = process.argv.slice(2);
await using cache = diskCache(path);
for (let index = 0; index < 100; index++) {
  for (const key of [`all/${index}`, `${name}/${index}`]) {
    cache.set(sha256(key), {
      content: key,
      reasoning: null,
      finishReason: "stop",
      usage: { promptTokens: 1, completionTokens: 1, cachedPromptTokens: 0, reasoningTokens: 0 },
      model: "m",
      latencyMs: 1,
      source: "server",
    });
  }
}
