import type { Aliases, Artifact, Registry } from "../../artifact/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { withArtifact } from "../model/chat-model.ts";
import type { LastKnownGood } from "./last-known-good.ts";
import type { Canaries, StandingCandidate } from "../canary/canaries.ts";
import type { ServedModel } from "../model/served-model.ts";
import type { LoadedVersion } from "./version-loader.ts";

/** The current version under a model's bare id, as aliases move. */
export interface DefaultVersion {
  /** Reads both aliases. Rejects if production cannot be served; only reports such a candidate. */
  start(): Promise<void>;
  /** If the current version cannot be served, keeps serving the last one; never rejects. */
  now(): Promise<ServedModel>;
}

/** @param model as declared, which is served if there is no production version */
export function defaultVersion({
  model,
  registry,
  load,
  lastKnownGood,
  checkArtifact,
  canaries,
  onFault,
}: {
  readonly model: ChatModel;
  readonly registry: Registry | undefined;
  readonly load: (model: ChatModel, version: string) => Promise<LoadedVersion>;
  readonly lastKnownGood: LastKnownGood | undefined;
  readonly checkArtifact: ((artifact: Artifact) => void) | undefined;
  readonly canaries: Canaries | undefined;
  readonly onFault: (error: unknown, served: ChatModel) => void;
}): DefaultVersion {
  let last: ChatModel | undefined;

  const aliasesNow = async (): Promise<Aliases | undefined> =>
    registry?.aliases(model.program.name);
  const productionOf = async (aliases: Aliases | undefined): Promise<ChatModel> => {
    const version = aliases?.production ?? null;
    const { model: production, artifact } =
      version === null ? { model, artifact: null } : await load(model, version);
    if (last !== production) lastKnownGood?.keep(model.id, artifact);
    last = production;
    return production;
  };
  const candidateOf = async (aliases: Aliases | undefined): Promise<StandingCandidate | null> => {
    const version = aliases?.candidate ?? null;
    if (version === null || version === aliases?.production) return null;
    const move = aliases?.history.findLast(({ alias }) => alias === "candidate");
    return { model: (await load(model, version)).model, since: move?.at ?? "" };
  };
  const withCanary = async (
    production: ChatModel,
    aliases: Aliases | undefined,
  ): Promise<ServedModel> => {
    if (canaries === undefined) return production;
    try {
      return canaries.withCanary(production, await candidateOf(aliases));
    } catch (error) {
      onFault(error, production);
      return canaries.withCanary(production, null);
    }
  };
  const goodModel = (): ChatModel | null => {
    const artifact = lastKnownGood?.of(model.id) ?? null;
    try {
      if (artifact !== null) checkArtifact?.(artifact);
      return artifact && withArtifact(model, artifact);
    } catch {
      return null;
    }
  };
  return {
    start: async () => {
      try {
        const aliases = await aliasesNow();
        const production = await productionOf(aliases);
        await candidateOf(aliases).catch((error: unknown) => onFault(error, production));
      } catch (error) {
        const good = goodModel();
        if (good === null) throw error;
        last = good;
        onFault(error, good);
      }
    },
    now: async () => {
      try {
        const aliases = await aliasesNow();
        return await withCanary(await productionOf(aliases), aliases);
      } catch (error) {
        const served = last ?? model;
        onFault(error, served);
        return served;
      }
    },
  };
}
