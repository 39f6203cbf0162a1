import type { Tokenizer } from "../contract/index.ts";
import { anyUrlOf } from "../lm/files.ts";
import { connectTokenizer, estimatingTokenizer } from "../lm/index.ts";
import type { PartSources } from "./part-sources.ts";
import type { Servers } from "./servers.ts";

/** A server that counts tokens for one of its models. */
export interface TokenServer {
  readonly url: string;
  /** Absent: the server's only one. */
  readonly model?: string;
  readonly keyVariable?: string;
  /** Used if `keyVariable` is absent. */
  readonly apiKey?: string;
  readonly concurrency?: number;
}

/** The server that the file names, or else the one of the LM that answers. */
export function tokenServer(
  { tokenizer, lms }: Servers,
  answer: TokenServer | undefined,
): TokenServer | undefined {
  if (tokenizer === undefined) return answer;
  if (typeof tokenizer === "object") return tokenizer;
  const lm = lms[tokenizer];
  if (lm === undefined) return undefined;
  const { url, price: _price, ...reached } = lm;
  const [first = ""] = [url].flat();
  return { ...reached, url: anyUrlOf(first) };
}

export function tokenizerPart(
  servers: Servers,
  sources: PartSources,
  answer: TokenServer | undefined,
): Tokenizer {
  const server = tokenServer(servers, answer);
  if (server === undefined) {
    const identityOf = ({ identity }: Tokenizer) => identity;
    return sources.standIn("tokenizer", servers.tokenizer, estimatingTokenizer, identityOf);
  }
  // Counting is free: the ledger has no role for it.
  const { ledger: _ledger, ...reached } = sources.reach(server, "tokenizer");
  return sources.connected("tokenizer", connectTokenizer(reached));
}
