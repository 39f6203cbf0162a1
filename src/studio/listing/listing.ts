import { existsSync } from "node:fs";
import type { Artifact } from "../../artifact/index.ts";
import { readArtifact } from "../../artifact/files.ts";
import { messageOf } from "../../errors/index.ts";
import { runFolderFiles } from "../../optimizer/files.ts";
import type { ListedResult, ListedRun, Listing } from "../../report-page/index.ts";
import type { SourceGiven } from "../../report/index.ts";
import { fileStamp } from "../../storage/index.ts";
import type { Found, FoundItem } from "../finding/found.ts";
import { registriesIn } from "../finding/registries-in.ts";
import { runState } from "../run-state.ts";
import { listedArtifact, listedRegistry } from "./list-artifacts.ts";
import { listedFeedback, listedState } from "./list-servers.ts";
import { runFigures } from "./run-figures.ts";

export interface ListingOptions {
  /** As it was given. */
  readonly folder: string;
  readonly readSource: (path: string) => Promise<SourceGiven>;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/** Lists what was found; figures are read at most for a moment, and the rest with the next call. */
export type Lister = (found: Found) => Promise<Listing>;

/** How long one call reads figures. */
const patienceMs = 1_500;

/** A running run is read again after this many times as long as that took. */
const idleShare = 10;

export function lister({ folder, readSource, now }: ListingOptions): Lister {
  const known = new Map<string, Known>();

  /** What `read` gives, kept until the stamp changes; `undefined` where time is over. */
  const keptOf = async <TValue extends object>(
    { id, path }: FoundItem,
    { stamp, until, isGrowing = false }: Reading,
    read: (source: SourceGiven) => TValue,
  ): Promise<TValue | { readonly problem: string } | undefined> => {
    const held = known.get(id);
    const isHeld = held?.stamp === stamp || (isGrowing && now() < (held?.againAt ?? 0));
    if (held !== undefined && isHeld) return held.value as TValue | { readonly problem: string };
    if (now() > until) return held?.value as TValue | undefined;
    const begunAt = now();
    const value = await readSource(path)
      .then(read)
      .catch((error: unknown) => ({ problem: messageOf(error) }));
    const tookMs = now() - begunAt;
    known.set(id, { stamp, value, againAt: now() + idleShare * tookMs });
    return value;
  };

  const listedRun = async (item: FoundItem, until: number): Promise<ListedRun> => {
    const { id, path, changedMs } = item;
    const state = runState(path);
    const { journal, artifact } = runFolderFiles(path);
    const stamp = [journal, artifact].map((file) => fileStamp(file)?.id ?? "").join(" ");
    const isGrowing = state === "running" || state === "stopping";
    const read = await keptOf(item, { stamp, until, isGrowing }, (source) =>
      source.kind === "run" ? { figures: runFigures(source) } : { problem: "It is no run." },
    );
    return {
      id,
      changedAt: new Date(changedMs).toISOString(),
      state,
      hasArtifact: existsSync(artifact),
      ...read,
    };
  };

  const listedResult = async (item: FoundItem, until: number): Promise<ListedResult> => {
    const { id, changedMs } = item;
    const read = await keptOf(item, { stamp: String(changedMs), until }, resultFigures);
    return { id, changedAt: new Date(changedMs).toISOString(), ...read };
  };

  const artifactOf = async (item: FoundItem): Promise<ReadArtifact> => {
    const stamp = String(item.changedMs);
    const held = known.get(item.id);
    if (held?.stamp === stamp) return held.value as ReadArtifact;
    const value = await readArtifact(item.path)
      .then((artifact): ReadArtifact => ({ artifact }))
      .catch((error: unknown): ReadArtifact => ({ artifact: null, problem: messageOf(error) }));
    known.set(item.id, { stamp, value, againAt: 0 });
    return value;
  };

  return async (found) => {
    const until = now() + patienceMs;
    const artifacts = await inOrder(found.artifacts, async (item) => ({
      ...item,
      ...(await artifactOf(item)),
    }));
    const { registries, others } = registriesIn(artifacts);
    const changed = new Map(artifacts.map(({ id, changedMs }) => [id, changedMs]));
    const problems = new Map(artifacts.map(({ id, problem }) => [id, problem]));
    const runs = await inOrder(found.runs, (item) => listedRun(item, until));
    const results = await inOrder(found.results, (item) => listedResult(item, until));
    return {
      folder,
      leftOut: found.leftOut,
      isPartial: [...runs, ...results].some(
        ({ figures, problem }) => figures === undefined && problem === undefined,
      ),
      runs,
      results,
      artifacts: others.map(({ artifact, ...item }) =>
        listedArtifact(item, artifact, problems.get(item.id)),
      ),
      registries: await inOrder(registries, (registry) =>
        listedRegistry(registry, (id) => changed.get(id) ?? 0),
      ),
      servers: [...found.states.map(listedState), ...found.feedback.map(listedFeedback)],
    };
  };
}

interface Known {
  readonly stamp: string;
  readonly value: object;
  readonly againAt: number;
}

interface Reading {
  readonly stamp: string;
  /** When to read no more. */
  readonly until: number;
  readonly isGrowing?: boolean;
}

interface ReadArtifact {
  readonly artifact: Artifact | null;
  readonly problem?: string;
}

function resultFigures(
  source: SourceGiven,
): Pick<ListedResult, "figures"> | { readonly problem: string } {
  if (source.kind !== "result") return { problem: "It is no result." };
  const { study, split, lm, isRehearsal, evaluation } = source.result;
  const { program, metric, value, interval } = evaluation;
  return {
    figures: {
      study,
      program: program.name,
      split,
      lm: lm.model,
      isRehearsal,
      metric: metric.name,
      value,
      interval,
    },
  };
}

/** One after the other: files of runs are large. */
async function inOrder<TItem, TResult>(
  items: readonly TItem[],
  of: (item: TItem) => Promise<TResult>,
): Promise<readonly TResult[]> {
  const results: TResult[] = [];
  for (const item of items) results.push(await of(item));
  return results;
}
