import type { Parts, Servers } from "../../servers/index.ts";
import { parts, standInMark } from "../../servers/index.ts";
import { standInModels } from "./rehearsal-package.ts";
import type { ServersGiven } from "./run-servers.ts";
import { onlyLm, serversFile } from "./run-servers.ts";

/** Stand-ins for every part, but where the run will ask an LM. */
export interface RehearsedParts {
  readonly parts: Parts;
  /** Whether the servers file has an LM rank passages. */
  readonly ranksByLm: boolean;
}

/**
 * Parts to rehearse a run with that asks no server: what asks an LM in the run, to rank or to
 * judge, asks the rehearsal LM. `--rehearsal` sets no part aside that the servers file names. Where
 * nothing is named, a real LM will judge, unless the run is to be a rehearsal. `undefined` where no
 * stand-ins are installed.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function rehearsedParts(given: ServersGiven): Promise<RehearsedParts | undefined> {
  const models = await standInModels();
  if (models === undefined) return undefined;
  const file = await serversFile(given.servers);
  const reranker = rerankingLm(file);
  return {
    parts: parts({
      fillsGaps: true,
      standInModels: models,
      judge: judgeOf(given, file) === standInMark ? undefined : "server",
      ...(reranker && { servers: { ...noLms, reranker } }),
    }),
    ranksByLm: reranker !== undefined,
  };
}

function rerankingLm(file: Servers | undefined): { readonly lm: string } | undefined {
  const reranker = file?.reranker;
  return typeof reranker === "object" && "lm" in reranker ? reranker : undefined;
}

/** Who judges, as far as anybody is named. */
function judgeOf(given: ServersGiven, file: Servers | undefined): string | undefined {
  const answer = given.lm ?? file?.roles.answer ?? onlyLm(file);
  const judge = given["judge-lm"] ?? file?.roles.judge ?? answer;
  return judge ?? (given.rehearsal ? standInMark : undefined);
}

const noLms: Servers = { format: "espalier-servers/1", lms: {}, roles: {}, predictors: {} };
