import type { Aliases, Registry } from "../../artifact/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { Canaries, StandingCandidate } from "../canary/canaries.ts";
import type { ServedModel } from "../model/served-model.ts";

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
  canaries,
  onFault,
}: {
  readonly model: ChatModel;
  readonly registry: Registry | undefined;
  readonly load: (model: ChatModel, version: string) => Promise<ChatModel>;
  readonly canaries: Canaries | undefined;
  readonly onFault: (error: unknown, served: ChatModel) => void;
}): DefaultVersion {
  let last: ChatModel | undefined;

  const aliasesNow = async (): Promise<Aliases | undefined> =>
    registry?.aliases(model.program.name);
  const productionOf = async (aliases: Aliases | undefined): Promise<ChatModel> => {
    const version = aliases?.production ?? null;
    last = version === null ? model : await load(model, version);
    return last;
  };
  const candidateOf = async (aliases: Aliases | undefined): Promise<StandingCandidate | null> => {
    const version = aliases?.candidate ?? null;
    if (version === null || version === aliases?.production) return null;
    const move = aliases?.history.findLast(({ alias }) => alias === "candidate");
    return { model: await load(model, version), since: move?.at ?? "" };
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
  return {
    start: async () => {
      const aliases = await aliasesNow();
      const production = await productionOf(aliases);
      await candidateOf(aliases).catch((error: unknown) => onFault(error, production));
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
