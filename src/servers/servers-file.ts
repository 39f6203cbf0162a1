import { z } from "zod";
import { exactOptional } from "../internal/index.ts";
import { isServerAddress } from "../lm/files.ts";
import type { LocalModel, Servers } from "./servers.ts";

/** Marks a part that a mock is to play. */
export const mockMark = "rehearsal";

const httpUrl = (example: string) =>
  z.url({ protocol: /^https?$/, error: `expected a URL such as ${example}` });

const baseUrl = httpUrl("http://127.0.0.1:8000/v1").describe(
  "Root of the OpenAI-compatible routes; for vLLM it ends with /v1.",
);

const address = {
  model: z.string().min(1).describe("The model's name on the server."),
  keyVariable: exactOptional(
    z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected the name of an environment variable")
      .describe("Environment variable with the server's key. Without it, no key is sent."),
  ),
  concurrency: exactOptional(
    z
      .int()
      .min(1)
      .describe("Maximum concurrent requests. Default: the command's --concurrency, or 8."),
  ),
};

const price = z
  .strictObject({
    promptUsdPerMillion: z.number().min(0),
    completionUsdPerMillion: z.number().min(0),
  })
  .describe("US dollars per million tokens; 0 for your own LM.");

const lmAddressError =
  "expected a URL such as http://127.0.0.1:8000/v1, @FILE, or dns+http://NAME:8000/v1";

const lmAddress = z
  .string(lmAddressError)
  .regex(/^(https?:\/\/|dns\+http:\/\/|@)./, lmAddressError)
  .refine(isServerAddress, lmAddressError)
  .describe(
    "A base URL; @FILE, a file with one on each line; or dns+http://NAME:8000/v1, where each IP address is a server. Files and names are read again during a run.",
  );

const lm = z.strictObject({
  url: z
    .union([lmAddress, z.array(lmAddress).min(1)], {
      error: `${lmAddressError}, or a list of them`,
    })
    .describe("One server, or several that serve the same model."),
  ...address,
  price: exactOptional(price),
});

/** On command lines a name stands among commas, `=` and `#`. */
const ownName = z
  .string()
  .regex(
    /^(?!rehearsal$)[^\s,=#]+$/,
    "expected a name without spaces, commas, `=` or `#`, other than `rehearsal`",
  );

const textModel = {
  url: baseUrl,
  ...address,
  truncatePromptTokens: exactOptional(
    z
      .int()
      .min(-1)
      .describe("Tokens after which the server truncates a text; -1 for the model's maximum."),
  ),
};

const lmName = z.string().describe("The name of an LM in `lms`.");
const mock = z.literal(mockMark).describe("A mock, which results name.");
const lmOrMock = z.union([mock, lmName], {
  error: `expected the name of an LM in \`lms\`, or "${mockMark}"`,
});
const orMock = (wanted: string) => ({ error: `expected ${wanted}, or "${mockMark}"` });

export function isLocalModel(given: Servers["embedder"]): given is LocalModel {
  return typeof given === "string" && given !== mockMark;
}

const localModel = z
  .templateLiteral(["local:", z.string().min(1)])
  .describe("A model in this process, such as local:minilm-l6. Needs @espalier/local.");

const embedder = z.strictObject({ ...textModel, batchSize: exactOptional(z.int().min(1)) });

const pairScorer = z.strictObject({
  ...textModel,
  template: exactOptional(
    z.literal("qwen3-reranker").describe("The prompt that the model was trained on."),
  ),
});

const search = z
  .strictObject({
    url: httpUrl("https://search.example/search").describe("The search route, without a query."),
    keyVariable: address.keyVariable,
    keyHeader: z.string().min(1).default("x-api-key").describe("The header that carries the key."),
    queryParameter: exactOptional(z.string().min(1)),
    countParameter: exactOptional(z.string().min(1)),
    parameters: exactOptional(z.record(z.string(), z.string()).describe("Added to every request.")),
    version: exactOptional(z.string().min(1).describe("Names the state of the searched index.")),
  })
  .describe("A search engine: GET url?query=...&k=... returns JSON.");

/** `espalier.servers.json`: which server plays which part. */
export const serversSchema: z.ZodType<Servers> = z
  .strictObject({
    $schema: exactOptional(z.string()),
    format: z.literal("espalier-servers/1"),
    lms: z.record(ownName, lm).default({}).describe("Language models, by names that you choose."),
    roles: z
      .strictObject({
        answer: exactOptional(lmOrMock.describe("Runs the programs.")),
        reflection: exactOptional(lmOrMock.describe("Proposes texts. Default: answer.")),
        judge: exactOptional(lmOrMock.describe("Asked by metrics. Default: answer.")),
      })
      .default({}),
    predictors: z
      .record(z.string(), lmOrMock)
      .default({})
      .describe("LMs for individual predictors, in every program that has them. Default: answer."),
    embedder: exactOptional(
      z.union(
        [mock, localModel, embedder],
        orMock("an object with `url` and `model`, `local:MODEL`"),
      ),
    ),
    reranker: exactOptional(
      z
        .union(
          [
            mock,
            z
              .strictObject({ lm: lmName })
              .describe("Ranks by the probability that this LM says yes."),
            z.strictObject(textModel),
          ],
          orMock("an object with `url` and `model`, or with `lm`"),
        )
        .describe("Ranks passages, by POST /rerank."),
    ),
    pairScorer: exactOptional(
      z
        .union([mock, pairScorer], orMock("an object with `url` and `model`"))
        .describe("Scores pairs of texts, by POST /score. Also ranks where no reranker is named."),
    ),
    tokenizer: exactOptional(
      z
        .union(
          [mock, lmName, z.strictObject({ url: baseUrl, ...address })],
          orMock("the name of an LM in `lms`, an object with `url` and `model`"),
        )
        .describe("Counts tokens, by vLLM's POST /tokenize. Default: the server of `answer`."),
    ),
    search: exactOptional(search),
  })
  .check(({ value, issues }) => {
    const known = Object.keys(value.lms);
    for (const [path, name] of namedLms(value)) {
      if (known.includes(name)) continue;
      issues.push({
        code: "custom",
        input: name,
        path: [...path],
        message: `no LM has this name; \`lms\` has ${known.join(", ") || "none"}`,
      });
    }
  });

/** Nothing is configured. */
export const noServers: Servers = serversSchema.parse({ format: "espalier-servers/1" });

type Reference = readonly [path: readonly string[], name: string];

/** Every place of the file that names an LM. */
function namedLms({ roles, predictors, reranker, tokenizer }: Servers): readonly Reference[] {
  const orMocks: readonly Reference[] = [
    ...Object.entries(roles).map(([role, name]): Reference => [["roles", role], name]),
    ...Object.entries(predictors).map(([key, name]): Reference => [["predictors", key], name]),
    ...(typeof tokenizer === "string" ? [[["tokenizer"], tokenizer] as const] : []),
  ];
  return [
    ...orMocks.filter(([, name]) => name !== mockMark),
    ...(typeof reranker === "object" && "lm" in reranker
      ? [[["reranker", "lm"], reranker.lm] as const]
      : []),
  ];
}
