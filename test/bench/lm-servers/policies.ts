import { connect, withLimit, limiter, openAiCompatible, withRetry, serverList } from "espalier/lm";
import type { LanguageModel } from "espalier";

/** How calls are dealt out among servers. */
export type Policy = (
  baseUrls: readonly string[],
  concurrency: number,
  model?: string,
) => LanguageModel;

/** What the doubles serve. */
const ofDoubles = "test-model";

/** What clients without feedback do: each server in turn. */
const roundRobin: Policy = (baseUrls, concurrency, model) => {
  const lms = clients(baseUrls, model);
  let turn = 0;
  const dealt: LanguageModel = {
    identity: lms[0]!.identity,
    doGenerate: (request, options) => lms[turn++ % lms.length]!.doGenerate(request, options),
  };
  return withRetry(withLimit(dealt, limiter(concurrency)));
};

/** Each call to the server with the fewest calls in flight; among equals, in turn. */
const leastLoaded: Policy = (baseUrls, concurrency, model) => {
  const servers = clients(baseUrls, model).map((lm) => ({ lm, inFlight: 0 }));
  let turn = 0;
  const dealt: LanguageModel = {
    identity: servers[0]!.lm.identity,
    doGenerate: async (request, options) => {
      turn += 1;
      const inTurn = servers.map((_, index) => servers[(turn + index) % servers.length]!);
      const server = inTurn.toSorted((left, right) => left.inFlight - right.inFlight)[0]!;
      server.inFlight += 1;
      try {
        return await server.lm.doGenerate(request, options);
      } finally {
        server.inFlight -= 1;
      }
    },
  };
  return withRetry(withLimit(dealt, limiter(concurrency)));
};

const ours =
  (isAdaptive: boolean): Policy =>
  (baseUrls, concurrency, model = ofDoubles) =>
    connect({
      model,
      examinationsFolder: null,
      baseUrls,
      concurrency,
      replicas: { isAdaptive },
    });

export const policies = {
  "round robin": roundRobin,
  "least loaded": leastLoaded,
  "espalier without limits": ours(false),
  espalier: ours(true),
} satisfies Readonly<Record<string, Policy>>;

/** The servers in a file, as `--lm @FILE` has them. */
export async function listed(path: string, concurrency: number): Promise<LanguageModel> {
  const list = serverList([`@${path}`]);
  return connect({
    model: ofDoubles,
    examinationsFolder: null,
    baseUrls: await list.read(),
    serverList: list,
    concurrency,
  });
}

function clients(baseUrls: readonly string[], model = ofDoubles): readonly LanguageModel[] {
  return baseUrls.map((baseUrl) => openAiCompatible({ baseUrl, model }));
}
