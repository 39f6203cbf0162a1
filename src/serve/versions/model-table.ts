import type { Aliases, Artifact, Registry } from "../../artifact/index.ts";
import { artifactCreatedAt } from "../../artifact/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { mapValues } from "../../internal/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { withArtifact } from "../model/chat-model.ts";
import { ApiError } from "../api-error/api-error.ts";
import type { Canaries, StandingCandidate } from "../canary/canaries.ts";
import type { Introduction } from "../model/introduction.ts";
import { introductionOf } from "../model/introduction.ts";
import type { ServedModel } from "../model/served-model.ts";

/** A name that clients can ask for, and its current version. */
export interface ListedModel {
  readonly name: string;
  readonly version: string;
  /** When its artifact was made, ISO 8601; `null` for a program as declared. */
  readonly madeAt: string | null;
  /** Of a model's bare id, as it is declared. */
  readonly introduction?: Introduction;
}

/** The models of a server, each as declared and in the versions of a registry. */
export interface ModelTable {
  /** Every name that clients can ask for. */
  list(): Promise<readonly ListedModel[]>;
  /**
   * `ID` is the production version, or the declared model if there is none; `ID@VERSION` selects a
   * version by its first digits, `production` or `candidate`.
   *
   * @throws ApiError 404 if the name is not served
   */
  resolve(name: string): Promise<ServedModel>;
}

/**
 * Looks up the versions of all models once, so that a version that cannot be served is found before
 * anyone asks for it. Later it reads the aliases again for each question, so that a promotion takes
 * effect at once.
 *
 * `canaries` adds the candidate to a model that is asked for by its bare id.
 * `onFault` is called with a version that cannot be loaded, and the one served instead.
 *
 * @throws EspalierError `artifact-drifted`, naming what changed, and those of the registry
 */
export async function modelTable({
  models,
  registry,
  checkArtifact,
  measured,
  canaries,
  onFault,
}: {
  readonly models: readonly ChatModel[];
  readonly registry?: Registry | undefined;
  /** Throws if an artifact must not be served, whether from the registry or from a model. */
  readonly checkArtifact?: ((artifact: Artifact) => void) | undefined;
  /** Wraps the models' own LMs. */
  readonly measured: (lm: LanguageModel) => LanguageModel;
  readonly canaries?: Canaries | undefined;
  readonly onFault: (id: string, error: unknown, served: ChatModel) => void;
}): Promise<ModelTable> {
  const load = versionLoader({ registry, checkArtifact });
  for (const { artifact } of models) if (artifact !== undefined) checkArtifact?.(artifact);
  const served = models.map((given) => {
    const model =
      given.lms === undefined ? given : { ...given, lms: mapValues(given.lms, measured) };
    const { id } = model;
    const onFaultOf = (error: unknown, last: ChatModel): void => onFault(id, error, last);
    const bare = defaultVersion({
      model,
      registry,
      load,
      canaries,
      onFault: onFaultOf,
    });
    return { model, bare };
  });
  const byId = new Map(served.map((each) => [each.model.id, each]));

  const isAllowed = (artifact: Artifact): boolean => {
    try {
      checkArtifact?.(artifact);
      return true;
    } catch {
      return false;
    }
  };

  const tableOf = async (model: ChatModel) => {
    if (registry === undefined) return [];
    const versions = await registry.list(model.program.name);
    return versions.flatMap((entry): readonly ListedModel[] => {
      const { version, aliases } = entry;
      // The list also reports an alias file that cannot be read.
      if (version === "aliases.json") return [];
      if (entry.state === "readable" && !isAllowed(entry.artifact)) return [];
      const time = entry.state === "readable" ? artifactCreatedAt(entry.artifact) : null;
      return [...aliases, version].map((name) => ({
        name: `${model.id}@${name}`,
        version,
        madeAt: time,
      }));
    });
  };
  for (const { bare } of served) await bare.start();

  return {
    list: async () => {
      const rows = await Promise.all(
        served.map(async ({ model, bare }): Promise<readonly ListedModel[]> => {
          const { version, madeAt: time = null } = await bare.now();
          const introduction = introductionOf(model);
          const row = {
            name: model.id,
            version,
            madeAt: time,
            ...(introduction !== undefined && { introduction }),
          };
          return [row, ...(await tableOf(model).catch(() => []))];
        }),
      );
      return rows.flat();
    },
    resolve: async (name) => {
      const at = name.indexOf("@");
      const id = at === -1 ? name : name.slice(0, at);
      const known = byId.get(id);
      if (known === undefined) throw modelUnknown(name);
      if (at === -1) return known.bare.now();
      const version = name.slice(at + 1);
      try {
        return await load(known.model, version);
      } catch (error) {
        throw EspalierError.isInstance(error) ? versionUnknown(id, version) : error;
      }
    },
  };
}

function modelUnknown(name: string): ApiError {
  const shown = name.slice(0, 100);
  return new ApiError(404, "model_not_found", `The model \`${shown}\` is not served.`, {
    param: "model",
  });
}

/**
 * Loads versions of models by any of their names.
 *
 * @returns a function that rejects with `artifact-drifted`, the errors of `checkArtifact` and of
 *   the registry, or an ApiError 404 if the version does not exist
 */
function versionLoader({
  registry,
  checkArtifact,
}: {
  readonly registry: Registry | undefined;
  readonly checkArtifact: ((artifact: Artifact) => void) | undefined;
}): (model: ChatModel, name: string) => Promise<ChatModel> {
  const loaded = new Map<string, ChatModel>();
  return async (model, name) => {
    // A version never changes: one loaded under its full name is not read again.
    const known = loaded.get(`${model.id}@${name}`);
    if (known !== undefined) return known;
    if (registry === undefined) throw versionUnknown(model.id, name);
    const { artifact, version } = await registry.resolve(model.program.name, name);
    checkArtifact?.(artifact);
    const key = `${model.id}@${version}`;
    const now = loaded.get(key) ?? withArtifact(model, artifact);
    loaded.set(key, now);
    return now;
  };
}

function versionUnknown(id: string, version: string): ApiError {
  const shown = version.slice(0, 40);
  const message = `The model \`${id}\` has no version \`${shown}\` that can be served.`;
  return new ApiError(404, "model_not_found", message, { param: "model" });
}

/** The current version under a model's bare id, as aliases move. */
interface DefaultVersion {
  /** Reads both aliases. Rejects if production cannot be served; only reports such a candidate. */
  start(): Promise<void>;
  /** If the current version cannot be served, keeps serving the last one; never rejects. */
  now(): Promise<ServedModel>;
}

/** @param model as declared, which is served if there is no production version */
function defaultVersion({
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
