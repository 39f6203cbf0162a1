import { join } from "node:path";
import { vllmServers } from "../../vllm/support/vllm-servers.ts";
import { serveReader } from "./reader.ts";

/** Whose replies are somebody's who reads the request, see `serveReader`. */
const readerModel = "reader";

const kinds = new Map([
  ["smollm2-135m", "smollm2"],
  ["qwen-coder-0.5b", "qwenCoder"],
] as const);

export interface ModelServers extends AsyncDisposable {
  /** Where a model answers, with `/v1`; `null`: nowhere. Starts vLLM, or the reader's server. */
  urlOf(model: string): Promise<string | null>;
}

/** @param running servers that are not to be started, by model */
export function modelServers(running: ReadonlyMap<string, string>): ModelServers {
  const opened = new AsyncDisposableStack();
  const urls = new Map<string, Promise<string | null>>();
  let vllm: ReturnType<typeof vllmServers> | undefined;

  async function start(model: string): Promise<string | null> {
    if (model === readerModel) {
      const folder = join(import.meta.dirname, "../../../.espalier/bench/real/reader");
      const { url } = opened.use(await serveReader(folder));
      process.stderr.write(`Requests to answer are in ${folder}/open.\n`);
      return url;
    }
    const kind = [...kinds].find(([name]) => name === model)?.[1];
    if (kind === undefined) return null;
    vllm ??= vllmServers().then((servers) => opened.use(servers));
    return (await (await vllm).address(kind)).baseUrl;
  }

  return {
    urlOf: (model) => {
      const given = running.get(model);
      const url = urls.get(model) ?? (given === undefined ? start(model) : Promise.resolve(given));
      urls.set(model, url);
      return url;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
