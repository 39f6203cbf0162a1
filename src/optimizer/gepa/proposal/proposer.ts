import type { Candidate } from "../../../contract/index.ts";
import type { RejectionReason } from "../../candidate/candidate-record.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { ProposerCosts } from "../strategy/costs.ts";
import type { Strategy } from "../strategy/strategy.ts";
import type { TextComponent } from "../strategy/text-component.ts";
import type { ReflectiveCase } from "../lesson/reflective-cases.ts";

/** One text to be written. */
export interface ProposalRequest {
  /** `iteration-3`; seeds what is drawn for it. */
  readonly id: string;
  /** The text to improve. */
  readonly component: TextComponent;
  /** What it is for, and what is known of the program around it. */
  readonly place: string;
  /** All texts beside it. */
  readonly candidate: Candidate;
  readonly cases: readonly ReflectiveCase[];
  /** What was proposed for this request before, and why it was refused, in a sentence or two. */
  readonly refused?: { readonly text: string; readonly detail: string };
}

export type ProposedText =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly reason: RejectionReason;
      /** In a sentence. */
      readonly detail: string;
      /** Whether whoever writes failed; a text that is merely of no use is no failure. */
      readonly isFailure: boolean;
    };

/**
 * Writes new texts. Calls go through `run.ask` or `run.consult`, which record and count them; a
 * request is one call.
 */
export interface Proposer extends Strategy {
  /** Answers in the order of the requests, which may be worked on side by side. */
  propose(
    requests: readonly ProposalRequest[],
    run: OptimizerRun,
  ): Promise<readonly ProposedText[]>;
  /**
   * Called with the ids of all components that may change, before anything is spent. Throws for a
   * proposer that is made for others.
   */
  checkComponents?(ids: readonly string[]): void;
  /** @default not known */
  costs?(): ProposerCosts;
}
