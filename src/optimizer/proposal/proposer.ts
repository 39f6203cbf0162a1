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
  const later = async (request: ProposalRequest, text: unknown): Promise<string> => {
    try {
      return checked(await text);
    } catch (error) {
      throw failed(name, request, error);
    }
  };
  const written = (request: ProposalRequest, signal: AbortSignal): string | Promise<string> => {
    try {
      const text = write(request, signal);
      return typeof text === "string" ? text : later(request, text);
    } catch (error) {
      return later(request, Promise.reject(error));
    }
  };
  return {
    name,
    settings,
    asksReflection: false,
    propose: async (requests, run) => {
      const texts = await run.consult(requests.length, (signal) => {
        const given = requests.map((request) => written(request, signal));
        const isAtOnce = given.every((text) => typeof text === "string");
        return isAtOnce ? given : Promise.all(given.map(async (text) => text));
      });
      return texts.map((text) => ({ ok: true, text }));
    },
  };
}

function checked(text: unknown): string {
  if (typeof text === "string") return text;
  throw new TypeError(
    `It returned ${text === null ? "null" : `a value of type ${typeof text}`}, not a string.`,
  );
}

function failed(name: string, { id, component }: ProposalRequest, error: unknown): EspalierError {
  return new EspalierError({
    code: "proposer-failed",
    problem: `The custom proposer \`${name}\` returned no text`,
    where: `request \`${id}\` for \`${componentId(component)}\``,
    got: messageOf(error),
    fix: "Fix the proposer. A run with a folder can be resumed without repeating recorded work.",
    cause: error,
  });
}
