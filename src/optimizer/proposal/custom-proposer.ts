import type { JsonObject } from "../../contract/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { componentId } from "../../internal/index.ts";
import type { ProposalRequest, Proposer } from "./proposer.ts";

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
