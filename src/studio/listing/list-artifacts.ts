import type { Artifact } from "../../artifact/index.ts";
import { openRegistry, standInsOfArtifact } from "../../artifact/files.ts";
import { versionOf } from "../../artifact/index.ts";
import { messageOf } from "../../errors/index.ts";
import { isRehearsal } from "../../stand-in/index.ts";
import type { ArtifactFigures, ListedArtifact, ListedRegistry } from "../../report-page/index.ts";
import type { FoundItem } from "../finding/found.ts";
import type { FoundRegistry } from "../finding/registries-in.ts";

export function listedArtifact(
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
const mostMoves = 20;

/** Every version of a registry, with the aliases that point to it and how they came there. */
export async function listedRegistry(
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
        const history = await registry.history(name).catch(() => []);
        return { name, versions, moves: history.toReversed().slice(0, mostMoves) };
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
    isRehearsal: isRehearsal(standInsOfArtifact(artifact)),
    scores: scores.map(({ split, metric, value, interval }) => ({
      split,
      metric: metric.name,
      value,
      interval,
    })),
  };
}
