import type { Candidate } from "../../contract/index.ts";
import type { RejectionReason } from "../candidate/candidate-record.ts";
import type { OptimizerRun, Strategy } from "../contract/optimizer.ts";
import type { TextComponent } from "../task/search-space.ts";
import type { ReflectiveCase } from "./case/reflective-cases.ts";

/** A request for one text. */
export interface ProposalRequest {
  /** For example `iteration-3`; it seeds the random draws for the request. */
  readonly id: string;
  /** The text to improve. */
  readonly component: TextComponent;
  /** What the text is for, and what is known about the program around it. */
  readonly place: string;
  /** All texts beside it. */
  readonly candidate: Candidate;
  readonly cases: readonly ReflectiveCase[];
  /** The text proposed for this request before, and why it was rejected, in a sentence or two. */
  readonly refused?: { readonly text: string; readonly detail: string };
}

export type ProposedText =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly reason: RejectionReason;
      /** A sentence. */
      readonly detail: string;
      /** Whether the writer failed; a text that is merely useless is not a failure. */
      readonly isFailure: boolean;
    };

/**
 * Writes new texts. Calls go through `run.ask` or `run.consult`, which record and count them; a
 * request is one call.
 */
export interface Proposer extends Strategy {
  /** Whether it calls `run.ask`, and so needs a reflection LM. @default true */
  readonly asksReflection?: boolean;
  /** Answers in the order of the requests, which may be processed side by side. */
  propose(
    requests: readonly ProposalRequest[],
    run: OptimizerRun,
  ): Promise<readonly ProposedText[]>;
  /**
   * Called with the ids of all components that may change, before anything is spent. Throws if the
   * proposer does not support them.
   */
  checkComponents?(ids: readonly string[]): void;
  /** @default unknown */
  costs?(): {
    /** Maximum tokens of a text. */
    readonly longestText: number;
  };
}
