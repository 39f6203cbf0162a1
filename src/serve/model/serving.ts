import { isKebabCase } from "../../internal/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { ChatModel } from "./chat-model.ts";

/** Models that are served together: the default export of a serving file. */
export interface Serving {
  /** Kebab-case; names the server in its own output. */
  readonly name: string;
  readonly models: readonly ChatModel[];
  /** @default the LM that the command line names */
  readonly lm?: LanguageModel;
  /**
   * Named checks of what must work besides the LM, for example an open index. A check rejects if it
   * fails.
   */
  readonly checks?: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>;
}

const brand = Symbol.for("espalier.serving");

/**
 * Ties models together; `espalier serve` accepts a file that default-exports the result.
 *
 * @throws EspalierError `serving-invalid` if a name is not in kebab-case, if there is no model, or
 *   if ids repeat
 */
export function serving(parts: Serving): Serving {
  const { name, models } = parts;
  if (!isKebabCase(name)) throw invalid("a name in kebab-case", `"${name}"`);
  if (models.length === 0) throw invalid("at least one model", "none");
  const ids = models.map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw invalid("a unique id for each model", `"${repeated}" twice`);
  return Object.freeze(
    Object.defineProperty({ ...parts, models: Object.freeze([...models]) }, brand, { value: true }),
  );
}

/** Whether `serving()` made a value; this also holds for another installed copy of the package. */
export function isServing(value: unknown): value is Serving {
  return typeof value === "object" && value !== null && brand in value;
}

function invalid(expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "serving-invalid",
    problem: "The `serving()` declaration is invalid",
    expected,
    got,
  });
}
