import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CliResult, RunningCli } from "../../../support/run-cli.ts";
import { startCli } from "../../../support/run-cli.ts";
import { serveCli } from "../../../support/serve-cli.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { apiKey } from "../../support/server-kinds.ts";
import type { VllmAddress } from "../../support/server-kinds.ts";
import { firstAnswers } from "./first-answers.ts";

/** Real servers for the parts of a system. */
export interface RealServers {
  /** Answers, reflects and judges. */
  readonly lm: VllmAddress;
  readonly embedder: VllmAddress;
  readonly reranker: VllmAddress;
}

/** A working folder where commands find the real servers in `espalier.servers.json`. */
export interface Workplace extends AsyncDisposable {
  readonly path: string;
  /** Runs a command to its end. */
  cli(...args: readonly string[]): Promise<CliResult>;
  start(...args: readonly string[]): RunningCli;
  /** `espalier serve`, from its start-up output on. */
  serve(...args: readonly string[]): ReturnType<typeof serveCli>;
}

/** The same servers, each of which answers equal requests alike. */
export async function steady({
  lm,
  embedder,
  reranker,
}: RealServers): Promise<RealServers & AsyncDisposable> {
  const ways = await Promise.all([lm, embedder, reranker].map(firstAnswers));
  const [ofLm, ofEmbedder, ofReranker] = ways.map(({ address }) => address) as [
    VllmAddress,
    VllmAddress,
    VllmAddress,
  ];
  return {
    lm: ofLm,
    embedder: ofEmbedder,
    reranker: ofReranker,
    [Symbol.asyncDispose]: async () => {
      for (const way of ways) await way[Symbol.asyncDispose]();
    },
  };
}

/** What a command that failed wrote to standard error; `null` if it succeeded. */
export function failureOf({ code, stderr }: CliResult): string | null {
  return code === 0 ? null : `${code}: ${stderr}`;
}

const keyVariable = "KEY_OF_A_TEST";

export async function workplace({ lm, embedder, reranker }: RealServers): Promise<Workplace> {
  const folder = await temporaryFolder();
  const textModel = ({ baseUrl, model }: VllmAddress) => ({
    url: baseUrl,
    model,
    truncatePromptTokens: -1,
  });
  const { baseUrl: url, model } = lm;
  const key = lm.apiKey === undefined ? {} : { keyVariable };
  const servers = {
    format: "espalier-servers/1",
    lms: { tiny: { url, model, concurrency: 16, ...key } },
    embedder: textModel(embedder),
    reranker: textModel(reranker),
  };
  await writeFile(join(folder.path, "espalier.servers.json"), JSON.stringify(servers));
  // The second is for commands that are given a URL.
  const env = { [keyVariable]: apiKey, ESPALIER_API_KEY: apiKey };
  const options = { cwd: folder.path, env };
  return {
    path: folder.path,
    cli: (...args) => startCli(args, options).ended,
    start: (...args) => startCli(args, options),
    serve: (...args) => serveCli(args, options),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
