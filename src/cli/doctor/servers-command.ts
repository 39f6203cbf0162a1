import { z } from "zod";
import { messageOf } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import { anyUrlOf, serverList } from "../../lm/files.ts";
import type { ServerExamination } from "../../lm/index.ts";
import type { Parts, Servers } from "../../servers/index.ts";
import {
  defaultServersFile,
  keyOf,
  parts,
  readServers,
  serversSchema,
  isLocalModel,
  mockMark,
} from "../../servers/index.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import { jsonArgument, serversArguments } from "../arguments/arguments.ts";
import { command } from "../arguments/command.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { localEmbedder } from "../lm/local-package.ts";
import { joinLines, print } from "../terminal/terminal.ts";
import { examineLm, stallArgument, stallTimeoutMs } from "./examine-lm.ts";

const query = "Where does the lighthouse stand?";
const documents = ["The lighthouse stands on the western pier.", "Bread is baked before dawn."];

/** What was found of one LM. */
export interface ExaminedServer {
  readonly lm: string;
  readonly url: string;
  readonly examination: ServerExamination | null;
  /** Why it could not be examined. */
  readonly failure?: string;
}

/** `espalier servers`: shows the servers file, and asks every server that it names. */
export const serversSubcommand: AnyCommand = command({
  args: {
    servers: {
      ...serversArguments.servers,
      description: "Servers file; defaults to espalier.servers.json in the working folder",
    },
    schema: {
      type: "boolean",
      description: "Print the file's JSON schema and exit",
      default: false,
    },
    fresh: {
      type: "boolean",
      description: "Ignore stored results and probe LMs again",
      default: false,
    },
    ...stallArgument,
    ...jsonArgument,
  },
  run: async (given) => {
    if (given.schema) {
      print(JSON.stringify(z.toJSONSchema(serversSchema, { io: "input" }), null, 2));
      return;
    }
    const stallMs = stallTimeoutMs(given["stall-timeout"]);
    using interrupt = abortOnInterrupt();
    const { signal } = interrupt;
    const path = given.servers ?? defaultServersFile;
    const servers = await readServers(path);
    if (!given.json) print(castText(path, servers));
    const trials = await partTrials(servers, await partsOf(servers, stallMs), signal);
    if (!given.json && trials.length > 0) print(`\n${partTrialsText(trials)}`);
    const examined: ExaminedServer[] = [];
    for (const [name, server] of Object.entries(servers.lms)) {
      for (const url of await serverList([server.url].flat()).read()) {
        const show = given.json ? () => {} : print;
        const more = { stallTimeoutMs: stallMs, isFresh: given.fresh, signal, show };
        examined.push(await examineNamed({ name, url, server, ...more }));
      }
    }
    if (given.json) print(JSON.stringify({ file: path, parts: trials, lms: examined }));
    const isWorking = (each: { readonly isWorking: boolean }): boolean => each.isWorking;
    if (!trials.every(isWorking) || examined.some(({ examination }) => examination === null)) {
      process.exitCode = exitCodes.infrastructure;
    }
  },
});

/** Without patience: a server that is away is to be reported. */
async function partsOf(servers: Servers, stallTimeoutMs: number | undefined) {
  return parts({
    ...(await localEmbedder(servers)),
    servers,
    environment: process.env,
    retry: { patienceMs: 0 },
    ...(stallTimeoutMs !== undefined && { stallTimeoutMs }),
  });
}

async function examineNamed({
  name,
  url,
  server,
  show,
  ...options
}: {
  readonly name: string;
  readonly url: string;
  readonly server: Servers["lms"][string];
  readonly isFresh: boolean;
  readonly stallTimeoutMs: number | undefined;
  readonly signal: AbortSignal;
  readonly show: (text: string) => void;
}): Promise<ExaminedServer> {
  const shownUrl = withoutCredentials(url);
  // The first piece says whose the others are.
  let opening = `\n${name}: `;
  try {
    const examination = await examineLm(url, {
      ...keyOf(server.keyVariable, `LM "${name}"`, process.env),
      model: server.model,
      isKept: true,
      ...options,
      show: (text) => {
        show(`${opening}${text}`);
        opening = "";
      },
    });
    return { lm: name, url: shownUrl, examination };
  } catch (error) {
    options.signal.throwIfAborted();
    const failure = messageOf(error);
    show(`\n${name}: ${server.model} at ${shownUrl} could not be examined: ${failure}`);
    return { lm: name, url: shownUrl, examination: null, failure };
  }
}

/** Who plays which part, as the file has it. */
function castText(path: string, servers: Servers): string {
  const { lms, roles, predictors, reranker, tokenizer } = servers;
  const usesOf = (name: string): readonly string[] => [
    ...Object.entries(roles).flatMap(([role, lm]) => (lm === name ? [role] : [])),
    ...Object.entries(predictors).flatMap(([key, lm]) => (lm === name ? [`predictor ${key}`] : [])),
  ];
  const rows = Object.entries(lms).map(([name, { url, model }]): Row => {
    const isOnly = Object.keys(lms).length === 1 && roles.answer === undefined;
    const uses = [
      ...(isOnly ? ["answer"] : []),
      ...usesOf(name),
      ...(typeof reranker === "object" && "lm" in reranker && reranker.lm === name
        ? ["reranker"]
        : []),
      ...(tokenizer === name ? ["tokenizer"] : []),
    ];
    const asked = uses.join(", ") || "not used in this file";
    return [`LM ${name}`, `${model} at ${shownUrls(url)}`, asked];
  });
  const rehearsed = usesOf(mockMark).join(", ");
  const parts = (["embedder", "reranker", "pairScorer", "tokenizer", "search"] as const).flatMap(
    (part): readonly Row[] => {
      const given = servers[part];
      if (given === undefined) return [];
      if (given === mockMark || (part === "embedder" && typeof given === "string"))
        return [[part, given, ""]];
      if (typeof given === "string") return [[part, `LM ${given}`, ""]];
      if ("lm" in given) return [[part, `LM ${given.lm}`, ""]];
      const at = shownUrls(given.url);
      return [[part, "model" in given ? `${given.model} at ${at}` : at, ""]];
    },
  );
  const all = [
    ...rows,
    ...(rehearsed === "" ? [] : [["LM", mockMark, rehearsed] as const]),
    ...parts,
  ];
  const width = Math.max(0, ...all.map(([name]) => name.length));
  return joinLines([
    path,
    ...all.map(([name, server, use]) =>
      `  ${name.padEnd(width)}  ${server}${use === "" ? "" : `: ${use}`}`.trimEnd(),
    ),
  ]);
}

type Row = readonly [name: string, server: string, use: string];

function shownUrls(url: string | readonly string[]): string {
  return [url].flat().map(withoutCredentials).join(", ");
}

/** What came of asking the parts. */
function partTrialsText(trials: readonly PartTrial[]): string {
  const width = Math.max(...trials.map(({ part }) => part.length));
  return joinLines(
    trials.map(
      ({ part, isWorking, evidence }) =>
        `${part.padEnd(width)}  ${(isWorking ? "works" : "fails").padEnd(5)}  ${evidence}`,
    ),
  );
}

/** What came of asking the server of one part. */
interface PartTrial {
  readonly part: string;
  /** Without credentials. */
  readonly url: string;
  /** Absent for a search engine. */
  readonly model?: string;
  readonly isWorking: boolean;
  /** What was seen, or what failed. */
  readonly evidence: string;
}

/** Asks the server of every part that the file names, other than LMs, for one small thing. */
async function partTrials(
  servers: Servers,
  parts: Parts,
  signal: AbortSignal,
): Promise<readonly PartTrial[]> {
  const trialOf = (part: string, given: unknown, ask: () => Promise<string>) =>
    trial({ part, given, ask, signal });
  const { embedder } = servers;
  const trials = [
    trialOf("embedder", isLocalModel(embedder) ? { url: embedder } : embedder, async () => {
      const { vectors } = await parts.embedder().doEmbed([query], { signal });
      return `${vectors[0]?.length ?? 0} dimensions`;
    }),
    trialOf("reranker", servers.reranker, async () => {
      const passages = documents.map((text, index) => ({ id: String(index), text }));
      const [first] = await parts.reranker().doRerank({ query, passages, k: 2 }, { signal });
      return `ranks the passage that ${first?.id === "0" ? "answers" : "does not answer"} first`;
    }),
    trialOf("pairScorer", servers.pairScorer, async () => {
      const { scores } = await parts.pairScorer().doScore({ query, documents }, { signal });
      const [right = Number.NaN, wrong = Number.NaN] = scores;
      return `scores ${right.toPrecision(3)} for an answer, ${wrong.toPrecision(3)} for another text`;
    }),
    trialOf("tokenizer", tokenizerServer(servers), async () => {
      const [count] = await parts.tokenizer().countTokens([query], { signal });
      return `${count} tokens in "${query}"`;
    }),
    trialOf("search", servers.search, async () => {
      const found = await parts.search()?.doRetrieve({ query, k: 3 }, { signal });
      return `finds ${found?.length ?? 0} for "${query}"`;
    }),
  ];
  return (await Promise.all(trials)).flatMap((trial) => (trial === undefined ? [] : [trial]));
}

interface Entry {
  readonly url: string;
  readonly model?: string;
}

/** Nothing for a part that an LM or a mock plays. */
async function trial({
  part,
  given,
  ask,
  signal,
}: {
  readonly part: string;
  readonly given: unknown;
  readonly ask: () => Promise<string>;
  readonly signal: AbortSignal;
}): Promise<PartTrial | undefined> {
  if (typeof given !== "object" || given === null || !("url" in given)) return undefined;
  const { url, model } = given as Entry;
  const server = { part, url: withoutCredentials(url), ...(model !== undefined && { model }) };
  try {
    return { ...server, isWorking: true, evidence: await ask() };
  } catch (error) {
    signal.throwIfAborted();
    return { ...server, isWorking: false, evidence: messageOf(error) };
  }
}

/** An LM that counts is asked as well: not every server has the route. */
function tokenizerServer({ tokenizer, lms }: Servers): unknown {
  if (typeof tokenizer !== "string") return tokenizer;
  const lm = lms[tokenizer];
  return lm && { ...lm, url: anyUrlOf([lm.url].flat()[0] ?? "") };
}
