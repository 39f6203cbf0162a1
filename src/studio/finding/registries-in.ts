import { basename } from "node:path";
import type { Artifact } from "../../artifact/index.ts";
import { versionOf } from "../../artifact/index.ts";
import type { FoundItem } from "./found.ts";

/** A folder whose artifacts lie where a registry has them. */
export interface FoundRegistry {
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
export function registriesIn(artifacts: readonly Held[]): {
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
