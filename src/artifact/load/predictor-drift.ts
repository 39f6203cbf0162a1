import type { Json } from "../../contract/index.ts";
import { canonicalJson, sha256 } from "../../internal/index.ts";
import type { Predictors } from "../../program/index.ts";
import type { Field } from "../../signature/index.ts";
import { fieldFormat } from "../../signature/index.ts";
import type { ArtifactPredictor, ArtifactSignature, Compiled } from "../file/artifact.ts";
import type { Drift } from "./drift.ts";
import { changed, changedHash } from "./drift.ts";

/** Predictors that were added, removed, renamed or redeclared. */
export function predictorDrift(was: Compiled["predictors"], now: Predictors): readonly Drift[] {
  const removed = Object.keys(was).filter((name) => now[name] === undefined);
  const added = Object.keys(now).filter((name) => was[name] === undefined);
  const renamed = new Map<string, string>();
  for (const name of removed) {
    const hash = was[name]?.signature.hash;
    const taken = new Set(renamed.values());
    const to = added.find((other) => now[other]?.signature.hash === hash && !taken.has(other));
    if (to !== undefined) renamed.set(name, to);
  }
  const newNames = new Set(renamed.values());
  return [
    ...removed.map((name): Drift => {
      const to = renamed.get(name);
      return to === undefined
        ? { what: `predictor "${name}"`, was: `signature ${was[name]?.signature.name}`, now: null }
        : { what: "the name of a predictor", was: `"${name}"`, now: `"${to}"` };
    }),
    ...added
      .filter((name) => !newNames.has(name))
      .map((name): Drift => ({
        what: `predictor "${name}"`,
        was: null,
        now: `signature ${now[name]?.signature.name}`,
      })),
    ...Object.entries(was).flatMap(([name, before]) => {
      const after = now[name];
      return after === undefined ? [] : declarationDrift(`predictor "${name}"`, before, after);
    }),
  ];
}

function declarationDrift(
  of: string,
  was: ArtifactPredictor,
  now: Predictors[string],
): readonly Drift[] {
  return [
    ...changed(`kind of ${of}`, was.kind, now.kind),
    ...changed(`driver of ${of}`, was.driver, now.driver.name),
    ...settingsDrift(of, leavesOf(was.settings), leavesOf(now.settings)),
    ...signatureDrift(of, was.signature, now.signature),
  ];
}

function signatureDrift(
  of: string,
  was: ArtifactSignature,
  now: Predictors[string]["signature"],
): readonly Drift[] {
  if (was.fieldFormat !== fieldFormat) {
    return changed(`description of fields of ${of}`, was.fieldFormat, fieldFormat);
  }
  const named = [
    ...changed(`signature of ${of}`, was.name, now.name),
    ...changedHash(`declared instruction of ${of}`, was.instructionHash, sha256(now.instruction)),
    ...fieldDrift(of, "input", was, now),
    ...fieldDrift(of, "output", was, now),
  ];
  // Anything else that the hash may cover in future must not go unnoticed.
  return named.length > 0 ? named : changedHash(`signature of ${of}`, was.hash, now.hash);
}

function fieldDrift(
  of: string,
  side: "input" | "output",
  was: ArtifactSignature,
  now: Predictors[string]["signature"],
): readonly Drift[] {
  const [before, after] = [byName(was.fields[side]), byName(now.fields[side])];
  const changes = unionOf(before, after).flatMap((name): readonly Drift[] => {
    const what = `${side} "${name}" of ${of}`;
    const [old, declared] = [before.get(name), after.get(name)];
    if (old === undefined) return [{ what, was: null, now: declared?.shape.kind ?? "" }];
    if (declared === undefined) return [{ what, was: old.shape.kind, now: null }];
    const parts = partsThatDiffer(old, declared).join(", ");
    const [oldHash = "", newHash = ""] = [was.fieldHashes[name], now.fieldHashes[name]];
    return changedHash(`${what} (${parts})`, oldHash, newHash);
  });
  if (changes.length > 0) return changes;
  return changed(`order of the ${side}s of ${of}`, [...before.keys()], [...after.keys()]);
}

function byName(fields: readonly Field[]): ReadonlyMap<string, Field> {
  return new Map(fields.map((field) => [field.name, field]));
}

function partsThatDiffer(was: Field, now: Field): readonly string[] {
  const parts = ["description", "shape", "isOptional", "refinements"] as const;
  return parts.filter((part) => canonicalJson(was[part]) !== canonicalJson(now[part]));
}

type Leaves = ReadonlyMap<string, Json>;

function settingsDrift(of: string, was: Leaves, now: Leaves): readonly Drift[] {
  return unionOf(was, now).flatMap((key) =>
    changed(`setting \`${key}\` of ${of}`, was.get(key), now.get(key)),
  );
}

/** `{ sampling: { topK: 1 } }` as `sampling.topK`: 1; lists stay whole. */
function leavesOf(settings: object, prefix = ""): Leaves {
  const leaves = new Map<string, Json>();
  for (const [key, value] of Object.entries(settings) as [string, Json][]) {
    const path = `${prefix}${key}`;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      leaves.set(path, value);
      continue;
    }
    for (const [inner, held] of leavesOf(value, `${path}.`)) leaves.set(inner, held);
  }
  return leaves;
}

function unionOf(
  left: ReadonlyMap<string, unknown>,
  right: ReadonlyMap<string, unknown>,
): string[] {
  return [...new Set([...left.keys(), ...right.keys()])];
}
