import type { Sampling } from "../../../contract/index.ts";
import { EspalierError } from "../../../errors/index.ts";
import { checkCount } from "../../../internal/index.ts";

export interface FailureModeOptions {
  /** Maximum number of modes that one request may name. @default 8 */
  readonly most?: number;
  /** Examples that a text is written from, of each mode. @default 2 */
  readonly examples?: number;
  /**
   * Maximum requests to the judge LM, including those repeated after a reply that could not be
   * used. @default 3
   */
  readonly calls?: number;
  /**
   * Maximum tokens of the failures in one request, as `estimateTokens` counts them; each takes 200
   * to 400 of them. @default 12_000
   */
  readonly tokens?: number;
  /** Sampling of the judge LM. @default temperature 0, at most 4,096 tokens */
  readonly sampling?: Partial<Sampling>;
}

export interface FailureModeSettings {
  readonly most: number;
  readonly examples: number;
  readonly calls: number;
  readonly tokens: number;
  readonly sampling: Partial<Sampling>;
}

/** With fewer failures there is nothing to sort: reflection sees them all. */
export const fewestFailures = 6;
/** Minimum tokens of a failure in a request. */
export const leastPerFailure = 200;

const owner = "gepa()";
const names = ["most", "examples", "calls", "tokens", "sampling"];

/** Fills in defaults; `undefined` if modes are not to be named. Throws `option-invalid`. */
export function failureModeSettings(
  options: false | FailureModeOptions = false,
): FailureModeSettings | undefined {
  if (options === false) return undefined;
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new EspalierError({
      code: "option-invalid",
      problem: `gepa() has no option \`reflection.failureModes.${unknown}\``,
      expected: names.map((name) => `\`${name}\``).join(", "),
      got: `\`${unknown}\``,
    });
  }
  const { most = 8, examples = 2, calls = 3, tokens = 12_000, sampling } = options;
  checkCount("failureModes.most", most, 2, owner);
  checkCount("failureModes.examples", examples, 1, owner);
  checkCount("failureModes.calls", calls, 1, owner);
  checkCount("failureModes.tokens", tokens, fewestFailures * leastPerFailure, owner);
  return Object.freeze({
    most,
    examples,
    calls,
    tokens,
    sampling: { temperature: 0, maxCompletionTokens: 4_096, ...sampling },
  });
}
