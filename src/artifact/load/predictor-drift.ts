import type { Json } from "../../contract/index.ts";
import { isObject, sha256 } from "../../internal/index.ts";
import type { Predictors } from "../../program/index.ts";
import type { Field } from "../../signature/index.ts";
import { fieldFormat } from "../../signature/index.ts";
import type { ArtifactPredictor, ArtifactSignature, Compiled } from "../file/artifact.ts";
import type { Drift } from "./drift.ts";
import { changed, changedHash } from "./drift.ts";

/** Predictors that were added, removed, renamed or redeclared. */
export function predictorDrift(compiled: Compiled, now: Predictors): readonly Drift[] {
  const { predictors: was } = compiled;
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
      if (after === undefined) return [];
      const signature = signatureIn(compiled, name, before);
      return declarationDrift(`predictor "${name}"`, { ...before, signature }, after);
    }),
  ];
}

/** A predictor's declared signature, with its instruction unless the artifact keeps only a hash. */
export function signatureIn(
  { components }: Compiled,
  predictor: string,
  { signature }: ArtifactPredictor,
): ArtifactSignature {
  const found = components.find(({ kind, path }) => kind === "instruction" && path === predictor);
  return found?.kind === "instruction" && sha256(found.value) === signature.instructionHash
    ? { ...signature, instruction: found.value }
    : signature;
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
    ...signatureDrift(of, was.signature, {
      ...now.signature,
      instructionHash: sha256(now.signature.instruction),
      fieldFormat,
    }),
  ];
}

/** Differences between two declarations of a signature, in name, instruction and fields. */
export function signatureDrift(
  of: string,
  was: ArtifactSignature,
  now: ArtifactSignature,
): readonly Drift[] {
  if (was.fieldFormat !== now.fieldFormat) {
    return changed(`description of fields of ${of}`, was.fieldFormat, now.fieldFormat);
  }
  const named = [
    ...changed(`signature of ${of}`, was.name, now.name),
    ...(was.instruction === undefined || now.instruction === undefined
      ? changedHash(`declared instruction of ${of}`, was.instructionHash, now.instructionHash)
      : changed(`declared instruction of ${of}`, was.instruction, now.instruction)),
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
  now: ArtifactSignature,
): readonly Drift[] {
  const [before, after] = [byName(was.fields[side]), byName(now.fields[side])];
  const changes = unionOf(before, after).flatMap((name): readonly Drift[] => {
    const what = `${side} "${name}" of ${of}`;
    const [old, declared] = [before.get(name), after.get(name)];
    if (old === undefined) return [{ what, was: null, now: declared?.shape.kind ?? "" }];
    if (declared === undefined) return [{ what, was: old.shape.kind, now: null }];
    const parts = partsThatDiffer(what, old, declared);
    if (parts.length > 0) return parts;
    return changedHash(what, was.fieldHashes[name] ?? "", now.fieldHashes[name] ?? "");
  });
  if (changes.length > 0) return changes;
  return changed(`order of the ${side}s of ${of}`, [...before.keys()], [...after.keys()]);
}

function byName(fields: readonly Field[]): ReadonlyMap<string, Field> {
  return new Map(fields.map((field) => [field.name, field]));
}

/** The innermost parts of a field that differ, such as `options` or `items.maxLength`. */
function partsThatDiffer(of: string, was: unknown, now: unknown, path = ""): readonly Drift[] {
  const what = path === "" ? of : `\`${path}\` of ${of}`;
  if (!isObject(was) || !isObject(now)) return changed(what, was, now);
  // Shapes of different kinds have nothing in common, so that only the kinds are worth a word.
  if (typeof was["kind"] === "string" && was["kind"] !== now["kind"]) {
    return changed(what, was["kind"], now["kind"]);
  }
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].flatMap((key) => {
    const inner = [path, key === "shape" ? "" : key].filter(Boolean).join(".");
    return partsThatDiffer(of, byNames(was[key]), byNames(now[key]), inner);
  });
}

/** The fields of an object by their names; any other value as it is. */
function byNames(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isNamed)) return value;
  return Object.fromEntries(value.map((each) => [each.name, each]));
}

function isNamed(value: unknown): value is { readonly name: string } {
  return isObject(value) && typeof value["name"] === "string";
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
