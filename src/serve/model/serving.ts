import { isKebabCase } from "../../internal/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { ChatModel } from "./chat-model.ts";

/** Models that are served together: what a serving file default-exports. */
export interface Serving {
  /** Kebab-case; names the server in what it says of itself. */
  readonly name: string;
  readonly models: readonly ChatModel[];
  /** @default the LM that the command line names */
  readonly lm?: LanguageModel;
  /**
   * What has to work besides the LM, by name, as that an index is open; each rejects where it does
   * not.
   */
  readonly checks?: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>;
}

const brand = Symbol.for("espalier.serving");

/**
 * Ties models together; a file that default-exports one can be given to `espalier serve`.
 *
 * @throws EspalierError `serving-invalid` for a name that is not in kebab-case, no model, or
 *   repeated ids
 */
export function serving(parts: Serving): Serving {
  const { name, models } = parts;
  if (!isKebabCase(name)) throw invalid("a name in kebab-case", `"${name}"`);
  if (models.length === 0) throw invalid("at least one model", "none");
  const ids = models.map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw invalid("an id for each model", `"${repeated}" twice`);
  return Object.freeze(
    Object.defineProperty({ ...parts, models: Object.freeze([...models]) }, brand, { value: true }),
  );
}

/** Whether a value was made by `serving()`, also by another installed copy of the package. */
export function isServing(value: unknown): value is Serving {
  return typeof value === "object" && value !== null && brand in value;
}

function invalid(expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "serving-invalid",
    problem: "A serving is declared wrongly",
    expected,
    got,
  });
}
