import type { Candidate, JsonObject } from "../../contract/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { componentId } from "../../internal/index.ts";
import type { RejectionReason } from "../candidate/candidate-record.ts";
import type { OptimizerRun, Strategy } from "../contract/optimizer.ts";
import type { ReflectiveCase } from "./case/reflective-cases.ts";
import type { TextComponent } from "../task/search-space.ts";

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
  /** The last texts that were not to replace this one, the latest first. @default none */
  readonly refused?: readonly RefusedText[];
}

export interface RefusedText {
  readonly text: string;
  /** Why it was rejected, in a sentence or two. */
  readonly detail: string;
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
  /** For the plan: maximum tokens of a text. @default unknown */
  readonly longestText?: number;
}

/**
 * A proposer that is a function of the request. If it throws, or returns something other than text,
 * the run ends with `proposer-failed`. Its results are recorded and not requested again when the
 * run is resumed.
 */
export function customProposer(
  name: string,
  write: (request: ProposalRequest, signal: AbortSignal) => string | Promise<string>,
  settings: JsonObject = {},
): Proposer {
  const written = async (request: ProposalRequest, signal: AbortSignal): Promise<string> => {
    try {
      const text: unknown = await write(request, signal);
      if (typeof text === "string") return text;
      const kind = text === null ? "null" : `a value of type ${typeof text}`;
      throw new TypeError(`It returned ${kind}, not a string.`);
    } catch (error) {
      throw new EspalierError({
        code: "proposer-failed",
        problem: `The custom proposer \`${name}\` returned no text`,
        where: `request \`${request.id}\` for \`${componentId(request.component)}\``,
        got: messageOf(error),
        fix: "Fix the proposer. A run with a folder can be resumed without repeating recorded work.",
        cause: error,
      });
    }
  };
  return {
    name,
    settings,
    asksReflection: false,
    propose: async (requests, run) => {
      const texts = await run.consult(requests.length, (signal) =>
        Promise.all(requests.map((request) => written(request, signal))),
      );
      return texts.map((text) => ({ ok: true, text }));
    },
  };
}
