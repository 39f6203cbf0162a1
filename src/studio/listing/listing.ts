import { existsSync } from "node:fs";
import type { Artifact } from "../../artifact/index.ts";
import { versionOf } from "../../artifact/index.ts";
import { openRegistry, readArtifact, mocksOfArtifact } from "../../artifact/files.ts";
import { messageOf } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import { runFolderFiles } from "../../optimizer/files.ts";
import type {
  ArtifactFigures,
  ListedArtifact,
  ListedRegistry,
  ListedResult,
  ListedRun,
  ListedServer,
  Listing,
} from "../../report-page/index.ts";
import { filesStamp, runState } from "../finding/run-state.ts";
import type { Found, FoundItem } from "../finding/find-sources.ts";
import type { SourceFigures, SourceWork } from "../thread/source-work.ts";
import type { LatestFigures } from "./latest-figures.ts";
import { latestFigures } from "./latest-figures.ts";
import { isRehearsal } from "../../mock/index.ts";
import type { ServerFigures } from "../thread/server-figures.ts";
import { basename } from "node:path";

export interface ListingOptions {
  /** As it was given. */
  readonly folder: string;
  readonly work: Pick<SourceWork, "figures" | "server">;
  readonly clock: Clock;
}

/** Lists what was found; waits for figures at most a moment: the next call has the rest. */
export type Lister = (found: Found) => Promise<Listing>;

/** How long one call waits for figures. */
const patienceMs = 1_500;

export function lister({ folder, work, clock }: ListingOptions): Lister {
  const figures = latestFigures(work.figures, clock);
  const kept = latestFigures(work.server, clock);
  const known = new Map<string, { readonly stamp: number; readonly read: ReadArtifact }>();

  const artifactOf = async ({ id, path, changedMs }: FoundItem): Promise<ReadArtifact> => {
    const held = known.get(id);
    if (held?.stamp === changedMs) return held.read;
    const read = await readArtifact(path)
      .then((artifact): ReadArtifact => ({ artifact }))
      .catch((error: unknown): ReadArtifact => ({ artifact: null, problem: messageOf(error) }));
    known.set(id, { stamp: changedMs, read });
    return read;
  };

  return async (found) => {
    const until = clock.now() + patienceMs;
    const artifacts = await inOrder(found.artifacts, async (item) => ({
      ...item,
      ...(await artifactOf(item)),
    }));
    const { registries, others } = registriesIn(artifacts);
    const changed = new Map(artifacts.map(({ id, changedMs }) => [id, changedMs]));
    const problems = new Map(artifacts.map(({ id, problem }) => [id, problem]));
    const runs = await inOrder(found.runs, (item) => listedRun(item, figures, until));
    const results = await inOrder(found.results, (item) => listedResult(item, figures, until));
    const servers = await inOrder(
      [
        ...found.states.map((item) => ({ item, none: { kind: "state", trials: [] } as const })),
        ...found.feedback.map((item) => ({
          item,
          none: { kind: "feedback", preferences: [] } as const,
        })),
      ],
      ({ item, none }) => listedServer(item, none, { kept, until }),
    );
    return {
      folder,
      leftOut: found.leftOut,
      isPartial: [...runs, ...results, ...servers].some(({ isBehind }) => isBehind),
      runs: runs.map(({ listed }) => listed),
      results: results.map(({ listed }) => listed),
      artifacts: others.map(({ artifact, ...item }) =>
        listedArtifact(item, artifact, problems.get(item.id)),
      ),
      registries: await inOrder(registries, (registry) =>
        listedRegistry(registry, (id) => changed.get(id) ?? 0),
      ),
      servers: servers.flatMap(({ listed }) => listed ?? []),
    };
  };
}

interface ReadArtifact {
  readonly artifact: Artifact | null;
  readonly problem?: string;
}

interface AsFarAsRead<TListed> {
  readonly listed: TListed;
  /** Whether there are newer figures, which are being read. */
  readonly isBehind: boolean;
}

async function listedRun(
  item: FoundItem,
  figures: LatestFigures<SourceFigures>,
  until: number,
): Promise<AsFarAsRead<ListedRun>> {
  const { id, path, changedMs } = item;
  const state = runState(path);
  const stamp = filesStamp(path);
  const isGrowing = state === "running" || state === "stopping";
  const { found, problem, isBehind } = await figures.of(item, { stamp, until, isGrowing });
  return {
    isBehind,
    listed: {
      id,
      changedAt: new Date(changedMs).toISOString(),
      state,
      hasArtifact: existsSync(runFolderFiles(path).artifact),
      ...(problem !== undefined && { problem }),
      ...(found?.kind === "run" && { figures: found.figures }),
    },
  };
}

async function listedResult(
  item: FoundItem,
  figures: LatestFigures<SourceFigures>,
  until: number,
): Promise<AsFarAsRead<ListedResult>> {
  const { id, path, changedMs } = item;
  const stamp = filesStamp(path);
  const { found, problem, isBehind } = await figures.of(item, { stamp, until });
  return {
    isBehind,
    listed: {
      id,
      changedAt: new Date(changedMs).toISOString(),
      ...(problem !== undefined && { problem }),
      ...(found?.kind === "result" && { figures: found.figures }),
    },
  };
}

/** Nothing before it was read for the first time. */
async function listedServer(
  item: FoundItem,
  none: ServerFigures,
  { kept, until }: { readonly kept: LatestFigures<ServerFigures>; readonly until: number },
): Promise<AsFarAsRead<ListedServer | null>> {
  const { id, changedMs } = item;
  const given = { stamp: String(changedMs), until };
  const { found = none, problem, isBehind } = await kept.of(item, given);
  const about = { id, changedAt: new Date(changedMs).toISOString() };
  if (found === none && problem === undefined) return { isBehind, listed: null };
  return { isBehind, listed: { ...about, ...found, ...(problem !== undefined && { problem }) } };
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

function listedArtifact(
  { id, changedMs }: FoundItem,
  artifact: Artifact | null,
  problem: string | undefined,
): ListedArtifact {
  return {
    id,
    changedAt: new Date(changedMs).toISOString(),
    ...(problem !== undefined && { problem }),
    ...(artifact && { figures: artifactFigures(artifact) }),
  };
}

/** Moves of aliases that a list shows of each program. */
const maxMoves = 20;

/** Every version of a registry, with the aliases that point to it and how they came there. */
async function listedRegistry(
  { id, path, programs }: FoundRegistry,
  changedMsOf: (id: string) => number,
): Promise<ListedRegistry> {
  const registry = openRegistry(path);
  return {
    id,
    programs: await Promise.all(
      programs.map(async (name) => {
        const entries = await registry.list(name);
        const versions = entries.map((entry) => {
          const { version, aliases } = entry;
          const file = [id, name, version.endsWith(".json") ? version : `${version}.json`]
            .filter((part) => part !== "")
            .join("/");
          const item = { id: file, path: "", changedMs: changedMsOf(file) };
          const [artifact, problem] =
            entry.state === "readable" ? [entry.artifact] : [null, messageOf(entry.problem)];
          return { ...listedArtifact(item, artifact, problem), version, aliases };
        });
        const history = await registry.aliases(name).then(
          (aliases) => aliases.history,
          () => [],
        );
        return { name, versions, moves: history.toReversed().slice(0, maxMoves) };
      }),
    ),
  };
}

function artifactFigures(artifact: Artifact): ArtifactFigures {
  const { program, optimizer, lm, scores } = artifact.compiled;
  return {
    program: program.name,
    version: versionOf(artifact),
    ...(optimizer && { madeBy: `${optimizer.name}, seed ${optimizer.seed}` }),
    lm: lm.model,
    isRehearsal: isRehearsal(mocksOfArtifact(artifact)),
    scores: scores.map(({ split, metric, value, interval }) => ({
      split,
      metric: metric.name,
      value,
      interval,
    })),
  };
}

/** A folder whose artifacts lie where a registry has them. */
interface FoundRegistry {
  /** Path below the studio's folder; empty for that itself. */
  readonly id: string;
  readonly path: string;
  readonly programs: readonly string[];
}

interface Held extends FoundItem {
  /** `null` if it cannot be read. */
  readonly artifact: Artifact | null;
}

/**
 * Tells the versions of registries from other artifacts: theirs are at `PROGRAM/VERSION.json`, by
 * the name and the hash that the artifact itself has.
 */
function registriesIn(artifacts: readonly Held[]): {
  readonly registries: readonly FoundRegistry[];
  readonly others: readonly Held[];
} {
  const programs = new Map<string, { readonly path: string; readonly names: Set<string> }>();
  const others: Held[] = [];
  for (const held of artifacts) {
    const root = held.artifact && rootOf(held.id, held.artifact);
    if (root === null) {
      others.push(held);
      continue;
    }
    const path = held.path.slice(0, held.path.length - (held.id.length - root.length));
    const known = programs.get(root) ?? { path, names: new Set() };
    programs.set(root, known);
    known.names.add((held.artifact as Artifact).compiled.program.name);
  }
  const registries = [...programs].map(([id, { path, names }]) => ({
    id,
    path,
    programs: [...names].toSorted(),
  }));
  return { registries, others };
}

function rootOf(id: string, artifact: Artifact): string | null {
  const version = basename(id, ".json");
  if (version !== versionOf(artifact)) return null;
  const tail = `${artifact.compiled.program.name}/${version}.json`;
  if (id === tail) return "";
  return id.endsWith(`/${tail}`) ? id.slice(0, -tail.length - 1) : null;
}
