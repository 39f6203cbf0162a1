import type { Aliases, Artifact, Registry } from "../artifact/index.ts";
import type { ChatModel } from "./chat-model.ts";
import { withArtifact } from "./chat-model.ts";
import type { KnownGood } from "./rollout/known-good.ts";
import type { Rollouts, StandingCandidate } from "./rollout/rollouts.ts";
import type { ServedModel } from "./rollout/trial.ts";
import type { LoadedVersion } from "./version-loader.ts";

/** What the bare id of a model means, as aliases move. */
export interface BareModel {
  /** Looks at both aliases; rejects where production cannot be served, and tells of such a candidate. */
  start(): Promise<void>;
  /** Where that cannot be served, what was served last is served on; never rejects. */
  now(): Promise<ServedModel>;
}

/** @param model as it is declared, which is served where there is no production version */
export function bareModel({
  model,
  registry,
  load,
  knownGood,
  checkArtifact,
  trials,
  onFault,
}: {
  readonly model: ChatModel;
  readonly registry: Registry | undefined;
  readonly load: (model: ChatModel, version: string) => Promise<LoadedVersion>;
  readonly knownGood: KnownGood | undefined;
  readonly checkArtifact: ((artifact: Artifact) => void) | undefined;
  readonly trials: Rollouts | undefined;
  readonly onFault: (error: unknown, served: ChatModel) => void;
}): BareModel {
  let last: ChatModel | undefined;

  const aliasesNow = async (): Promise<Aliases | undefined> =>
    registry?.aliases(model.program.name);
  const productionOf = async (aliases: Aliases | undefined): Promise<ChatModel> => {
    const version = aliases?.production ?? null;
    const { model: production, artifact } =
      version === null ? { model, artifact: null } : await load(model, version);
    if (last !== production) knownGood?.keep(model.id, artifact);
    last = production;
    return production;
  };
  const candidateOf = async (aliases: Aliases | undefined): Promise<StandingCandidate | null> => {
    const version = aliases?.candidate ?? null;
    if (version === null || version === aliases?.production) return null;
    const move = aliases?.history.findLast(({ alias }) => alias === "candidate");
    return { model: (await load(model, version)).model, since: move?.at ?? "" };
  };
  const onTrial = async (
    production: ChatModel,
    aliases: Aliases | undefined,
  ): Promise<ServedModel> => {
    if (trials === undefined) return production;
    try {
      return trials.onTrial(production, await candidateOf(aliases));
    } catch (error) {
      onFault(error, production);
      return trials.onTrial(production, null);
    }
  };
  const lastKnownGood = (): ChatModel | null => {
    const artifact = knownGood?.of(model.id) ?? null;
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
        const good = lastKnownGood();
        if (good === null) throw error;
        last = good;
        onFault(error, good);
      }
    },
    now: async () => {
      try {
        const aliases = await aliasesNow();
        return await onTrial(await productionOf(aliases), aliases);
      } catch (error) {
        const served = last ?? model;
        onFault(error, served);
        return served;
      }
    },
  };
}
