import { EspalierError } from "../../errors/index.ts";
import { yesNoName } from "../../servers/index.ts";
import type { LmSource } from "./lm-source.ts";
import type { RunServers } from "./run-servers.ts";
import type { Price, PriceTable } from "../../optimizer/index.ts";

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

/**
 * The prices of a run's LMs, where the servers file has them. Budgets know one price for each role:
 * where predictors use several LMs, it is the dearest of theirs, so that no cap is exceeded; if one
 * of them has no price, the role has none, and a cap on money is refused.
 */
export function pricesOf(servers: RunServers, programs: readonly Asking[]): PriceTable | undefined {
  const { answer, roles } = servers;
  const lms = predictorLms(servers, programs);
  const predictors = programs.flatMap((program) => Object.keys(program.predictors));
  const asked = predictors.map((name) => lms[name] ?? answer);
  const ranking = [answer, ...(yesNoName in lms ? [lms[yesNoName]] : [])];
  const everyone = [...asked, ...ranking, roles.reflection, roles.judge];
  if (!everyone.some((source) => source?.kind === "server" && source.price !== undefined)) {
    return undefined;
  }
  const table: { readonly [Role in keyof PriceTable]: Price | undefined } = {
    student: dearest(asked),
    reflection: dearest([roles.reflection ?? answer]),
    judge: dearest([roles.judge ?? answer]),
    reranking: dearest(ranking),
  };
  return Object.fromEntries(Object.entries(table).filter(([, price]) => price !== undefined));
}

/** Nothing if the price of one is not known. A mock is free. */
function dearest(sources: readonly (LmSource | undefined)[]): Price | undefined {
  const prices = sources.map((source) => (source?.kind === "server" ? source.price : free));
  const known = prices.filter((price) => price !== undefined);
  if (known.length < prices.length) return undefined;
  return {
    promptUsdPerMillion: Math.max(...known.map((each) => each.promptUsdPerMillion)),
    completionUsdPerMillion: Math.max(...known.map((each) => each.completionUsdPerMillion)),
  };
}

const free: Price = { promptUsdPerMillion: 0, completionUsdPerMillion: 0 };
