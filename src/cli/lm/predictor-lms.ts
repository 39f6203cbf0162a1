import { EspalierError } from "../../errors/index.ts";
import { yesNoName } from "../../servers/index.ts";
import type { LmSource } from "./lm-source.ts";
import type { RunServers } from "./run-servers.ts";

/** What has predictors: programs do. */
export interface Asking {
  readonly predictors: Readonly<Record<string, unknown>>;
}

/**
 * The LMs of single predictors, and of a reranker that asks one, by name, as far as the programs
 * have them. Those of `--lm-for` take precedence and must exist; the servers file serves other
 * programs as well.
 *
 * @throws EspalierError `usage-invalid`, `key-missing`
 */
export function predictorLms(
  servers: RunServers,
  programs: readonly Asking[],
): Readonly<Record<string, LmSource>> {
  const { parts, usual, asked } = servers;
  const predictors = new Set(programs.flatMap((program) => Object.keys(program.predictors)));
  // Programs do not list their rerankers, so one that asks an LM may be there.
  const unknown = Object.keys(asked).find((name) => !predictors.has(name) && name !== yesNoName);
  if (unknown !== undefined) throw unknownPredictor(unknown, predictors);
  const references = Object.entries({
    ...Object.fromEntries(Object.entries(usual).filter(([name]) => predictors.has(name))),
    ...parts.lms(),
    ...asked,
  });
  return Object.fromEntries(
    references.map(([name, reference]) => {
      const option = Object.hasOwn(asked, name) ? "--lm-for" : "predictors";
      return [name, servers.sourceOf(option, reference)];
    }),
  );
}

function unknownPredictor(name: string, predictors: ReadonlySet<string>): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem: `No predictor is called "${name}"`,
    where: "--lm-for",
    expected: `${[...predictors].join(", ")}; or ${yesNoName}, for a reranker that asks an LM`,
  });
}
