import type { DatabaseSync } from "node:sqlite";
import type { Turn } from "../../contract/index.ts";
import { sha256 } from "../../internal/index.ts";
import { exchangeHashes } from "./said-texts.ts";

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
 * Finds the conversation of an answer: the client's own id; or that of the last earlier answer of
 * the same API key that its history holds with its question, and no other conversation holds so; or
 * a new one.
 */
export function conversationOf(database: DatabaseSync): (turn: NewTurn) => string {
  const saying = database.prepare(
    `SELECT DISTINCT turns.conversation
     FROM (SELECT completion FROM said WHERE hash = ? ORDER BY completion DESC LIMIT ${maxMatches}) AS found
     JOIN turns ON turns.completion = found.completion
     JOIN completions ON number = found.completion
     WHERE api_key IS ? AND (user IS NULL OR ? IS NULL OR user = ?) LIMIT 2`,
  );
  const earlier = ({ apiKey, user, history }: NewTurn): string | undefined => {
    for (const hash of exchangeHashes(history.slice(-lastTurns)).toReversed()) {
      const [found, other] = saying.all(hash, apiKey, user, user);
      if (found !== undefined && other === undefined) return String(found["conversation"]);
    }
    return undefined;
  };
  return (turn) => {
    if (turn.conversation !== null) {
      return shortHash(JSON.stringify(["client", turn.apiKey, turn.conversation]));
    }
    return earlier(turn) ?? shortHash(JSON.stringify(["first", turn.id]));
  };
}

/** The last turns identify a conversation, and bound the work. */
const lastTurns = 12;
/**
 * The newest answers with a text, of any API key: a text in more of them identifies little.
 */
const maxMatches = 256;

function shortHash(text: string): string {
  return sha256(text).slice(0, 32);
}
