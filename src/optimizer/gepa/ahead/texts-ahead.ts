import { contentHash } from "../../../internal/index.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { ProposalRequest, ProposedText, Proposer } from "../proposal/proposer.ts";

/** A proposer's texts, some of which were asked for before the search needed them. */
export interface TextsAhead {
  /** Texts for these requests; what was asked for ahead in the same words takes no call. */
  propose(
    requests: readonly ProposalRequest[],
    run: OptimizerRun,
  ): Promise<readonly ProposedText[]>;
  /** Asks for each of these texts by itself, once, and holds it. */
  ask(requests: readonly ProposalRequest[], run: OptimizerRun): Promise<void>;
  /** Forgets the texts that were not needed. */
  drop(): void;
  /** Texts that requests have got so far. */
  readonly given: number;
  /** Texts asked for ahead so far that came. */
  readonly made: number;
  /** Of these, those that a request has got. */
  readonly used: number;
}

export function textsAhead(proposer: Proposer): TextsAhead {
  /** By the request's content; `null` while it is asked for. */
  const held = new Map<string, ProposedText | null>();
  let [given, made, used] = [0, 0, 0];
  const take = (request: ProposalRequest): ProposedText | undefined => {
    if (held.size === 0) return undefined;
    const key = contentHash(request);
    const text = held.get(key) ?? undefined;
    if (text === undefined) return undefined;
    held.delete(key);
    used++;
    return text;
  };
  return {
    propose: async (requests, run) => {
      given += requests.length;
      const known = requests.map(take);
      const open = requests.filter((_, place) => known[place] === undefined);
      const written = open.length === 0 ? [] : await proposer.propose(open, run);
      let next = 0;
      return known.map((text) => text ?? (written[next++] as ProposedText));
    },
    ask: async (requests, run) => {
      const asked = await Promise.allSettled(
        requests.map(async (request) => {
          const key = contentHash(request);
          if (held.has(key)) return;
          held.set(key, null);
          try {
            const [text] = await proposer.propose([request], run);
            made++;
            held.set(key, text ?? null);
          } catch (error) {
            held.delete(key);
            throw error;
          }
        }),
      );
      const failed = asked.find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") throw failed.reason;
    },
    drop: () => held.clear(),
    get given() {
      return given;
    },
    get made() {
      return made;
    },
    get used() {
      return used;
    },
  };
}
