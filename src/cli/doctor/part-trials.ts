import { messageOf } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import { anyUrlOf } from "../../lm/files.ts";
import type { Parts, Servers } from "../../servers/index.ts";

/** What came of asking the server of one part. */
export interface PartTrial {
  readonly part: string;
  /** Without credentials. */
  readonly url: string;
  /** Absent for a search engine. */
  readonly model?: string;
  readonly isWorking: boolean;
  /** What was seen, or what failed. */
  readonly evidence: string;
}

const query = "Where does the lighthouse stand?";
const documents = ["The lighthouse stands on the western pier.", "Bread is baked before dawn."];

/** Asks the server of every part that the file names, other than LMs, for one small thing. */
export async function partTrials(
  servers: Servers,
  parts: Parts,
  signal: AbortSignal,
): Promise<readonly PartTrial[]> {
  const trialOf = (part: string, given: unknown, ask: () => Promise<string>) =>
    trial({ part, given, ask, signal });
  const trials = [
    trialOf("embedder", servers.embedder, async () => {
      const { vectors } = await parts.embedder().doEmbed([query], { signal });
      return `${vectors[0]?.length ?? 0} numbers for a text`;
    }),
    trialOf("reranker", servers.reranker, async () => {
      const passages = documents.map((text, place) => ({ id: String(place), text }));
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

/** Nothing for a part that an LM or a stand-in plays. */
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
