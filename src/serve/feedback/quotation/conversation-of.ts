import type { DatabaseSync } from "node:sqlite";
import type { Turn } from "../../../contract/index.ts";
import { sha256 } from "../../../internal/index.ts";
import { quotations } from "./quotations.ts";
import { comparedText, longestSentences, sentenceHash } from "./sentences.ts";

/** An answer about to be stored, with its secrets removed. */
export interface NewTurn {
  readonly id: string;
  readonly apiKey: string | null;
  readonly user: string | null;
  /** The client's own id of the conversation. */
  readonly conversation: string | null;
  readonly history: readonly Turn[];
}

/**
 * Finds the conversation of an answer: the client's own id, or that of the earlier answer of the
 * same API key that its history quotes, or a new one. If the history quotes several conversations
 * equally, the choice is ambiguous and the answer begins a new one.
 */
export function conversationOf(database: DatabaseSync): (turn: NewTurn) => string {
  const saying = database.prepare(
    `SELECT number, turns.conversation
     FROM (SELECT completion FROM sentences WHERE hash = ? ORDER BY completion DESC LIMIT ${maxMatches}) AS said
     JOIN turns ON turns.completion = said.completion
     JOIN completions ON number = said.completion
     WHERE api_key IS ? AND (user IS NULL OR ? IS NULL OR user = ?)
     ORDER BY number DESC LIMIT 16`,
  );
  const exchange = database.prepare("SELECT question, answer FROM completions WHERE number = ?");

  const earlier = ({ apiKey, user, history }: NewTurn): string | undefined => {
    const conversations = new Map<number, ReadonlySet<string>>();
    const shared = new Map<number, { readonly conversation: string; hashes: number }>();
    for (const hash of hashesOf(history)) {
      const rows = saying.all(hash, apiKey, user, user);
      conversations.set(hash, new Set(rows.map((row) => String(row["conversation"]))));
      for (const row of rows) {
        const known = shared.get(Number(row["number"]))?.hashes ?? 0;
        const conversation = String(row["conversation"]);
        shared.set(Number(row["number"]), { conversation, hashes: known + 1 });
      }
    }
    const likeliest = [...shared]
      .toSorted(([one, of], [other, than]) => than.hashes - of.hashes || other - one)
      .slice(0, 16)
      .map(([number, { conversation }]) => {
        const row = exchange.get(number) ?? {};
        return {
          conversation,
          question: String(row["question"]),
          answer: String(row["answer"]),
        };
      });
    const found = quotations(likeliest, (hash) => (conversations.get(hash)?.size ?? 1) - 1);
    const words = new Map<string, number>();
    for (const { exchange: quoted, distinctWords } of found(history.slice(-lastTurns), {
      left: mostSteps,
    })) {
      words.set(quoted.conversation, Math.max(distinctWords, words.get(quoted.conversation) ?? 0));
    }
    const [best, second] = [...words].toSorted(([, one], [, other]) => other - one);
    return best && best[1] > (second?.[1] ?? 0) ? best[0] : undefined;
  };
  return (turn) => {
    if (turn.conversation !== null) {
      return shortHash(JSON.stringify(["client", turn.apiKey, turn.conversation]));
    }
    const linked = turn.history.length === 0 ? undefined : earlier(turn);
    return linked ?? shortHash(JSON.stringify(["first", turn.id]));
  };
}

/** The last turns identify a conversation, and bound the work. */
const lastTurns = 12;
/**
 * The newest answers with a sentence, of any API key: a sentence in more of them identifies little.
 */
const maxMatches = 256;
/**
 * Some milliseconds: a client controls how similar the sentences of a history are, and all answers
 * wait for this.
 */
const mostSteps = 250_000;

function hashesOf(history: readonly Turn[]): ReadonlySet<number> {
  return new Set(
    history
      .slice(-lastTurns)
      .flatMap(({ text }) => longestSentences(comparedText(text)))
      .map(({ text }) => sentenceHash(text)),
  );
}

function shortHash(text: string): string {
  return sha256(text).slice(0, 32);
}
