import type {
  Candidate,
  JsonObject,
  LmIdentity,
  Metric,
  PredictorTrace,
  SplitName,
  Trace,
  TraceNode,
  Trainset,
} from "../../contract/index.ts";
import { promptLayout } from "../../contract/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { canonicalJson, contentHash, deepFreeze, sha256 } from "../../internal/index.ts";
import type { Predictors, TunableProgram } from "../../program/index.ts";
import { fieldFormat } from "../../signature/index.ts";
import type {
  Artifact,
  ArtifactDataset,
  ArtifactOptimizer,
  ArtifactPredictor,
  ArtifactScore,
  Compiled,
  LineageEntry,
} from "../file/artifact.ts";
import { artifactFormat, isModuleSpecifier } from "../file/artifact.ts";
import type { Evaluation } from "../../evaluate/index.ts";

/** A trainset and the ids of its examples that were used. */
export interface UsedDataset {
  readonly trainset: Pick<Trainset, "name" | "version" | "licence" | "checksum">;
  readonly splits: { readonly [Split in SplitName]?: readonly string[] };
}

/** By predictor, in the order of its recorded inputs; `null` where none is needed. */
export type RecordedVectors = Readonly<Record<string, readonly (string | null)[]>>;

/** Inputs by predictor name. */
export type RecordedInputs = Readonly<Record<string, readonly JsonObject[]>>;

export interface CompileArtifactOptions {
  readonly program: TunableProgram<never>;
  /** Components that replace the program's own. @default none */
  readonly candidate?: Candidate;
  /** Module from which the program can be loaded. @default the program's own module */
  readonly module?: string;
  readonly lm: LmIdentity;
  readonly metric?: Pick<Metric, "name" | "version">;
  readonly dataset?: UsedDataset;
  readonly optimizer?: ArtifactOptimizer;
  readonly scores?: readonly ArtifactScore[];
  readonly lineage?: readonly LineageEntry[];
  /**
   * Inputs whose prompts are recorded and must render identically on load; see `recordedInputs()`.
   */
  readonly samples: RecordedInputs;
  /**
   * Vectors of these inputs, from `recordedVectors()`; needed if demonstrations are chosen by
   * vectors. @default none
   */
  readonly vectors?: RecordedVectors;
  /** Costs, times, server, rehearsal: JSON that is stored but not hashed. */
  readonly run?: object;
}

/**
 * Makes an artifact from a program: a pure function without LM calls. The same arguments, except
 * `run`, give a byte-identical `compiled`.
 *
 * @throws EspalierError `component-unknown` and related codes for a candidate that does not fit,
 * `input-invalid` for a sample that does not, `part-missing` for one that lacks its vector,
 * `artifact-invalid` for values that JSON cannot
 * represent and for a module path that is specific to this machine
 */
export function compileArtifact({
  program: declared,
  candidate = [],
  module = declared.module,
  lm,
  metric,
  dataset,
  optimizer,
  scores = [],
  lineage = [],
  samples,
  vectors = {},
  run = {},
}: CompileArtifactOptions): Artifact {
  if (module !== undefined) checkModule(module, declared.name);
  const program = declared.with(candidate);
  const { name, version, predictors, parameters } = program;
  const components = program.components();
  const instructions = Object.fromEntries(
    components.flatMap((each) => (each.kind === "instruction" ? [[each.path, each.value]] : [])),
  );
  const compiled: Compiled = {
    format: artifactFormat,
    program: { name, version, ...(module === undefined ? {} : { module }) },
    components,
    parameters,
    predictors: mapValues(predictors, (predictor, path) => describe(predictor, instructions[path])),
    promptLayout,
    lm: { provider: lm.provider, model: lm.model },
    metric: metric === undefined ? null : { name: metric.name, version: metric.version },
    dataset: dataset === undefined ? null : datasetOf(dataset),
    optimizer: optimizer ?? null,
    scores,
    lineage,
    samples: mapValues(samples, (recorded, predictor) =>
      recorded.map((inputs, index) => {
        const vector = vectors[predictor]?.[index] ?? null;
        const messages = program.render(predictor, inputs, { vector });
        return { inputs, ...(vector !== null && { vector }), messages };
      }),
    ),
  };
  const hash = hashOf(compiled);
  // Via text, so that the result equals what a reader of the file gets.
  const format = `espalier-artifact/${artifactFormat}`;
  return deepFreeze(JSON.parse(JSON.stringify({ format, hash, compiled, run })) as Artifact);
}

function checkModule(module: string, program: string): void {
  if (isModuleSpecifier(module)) return;
  throw new EspalierError({
    code: "artifact-invalid",
    problem: "An artifact cannot refer to this module",
    where: `program "${program}"`,
    expected: "a package, or a path relative to the artifact's folder",
    got: `"${module}"`,
    fix: "Set `module` when compiling",
  });
}

function describe(
  { kind, driver, settings, signature }: Predictors[string],
  compiled: string | undefined,
): ArtifactPredictor {
  const { name, hash, instruction, fields, fieldHashes } = signature;
  const declared = {
    instructionHash: sha256(instruction),
    ...(instruction !== compiled && { instruction }),
  };
  return {
    kind,
    driver: driver.name,
    settings,
    signature: { name, hash, ...declared, fieldFormat, fields, fieldHashes },
  };
}

function datasetOf({ trainset, splits }: UsedDataset): ArtifactDataset {
  const { name, version, licence, checksum } = trainset;
  return {
    name,
    ...(version !== undefined && { version }),
    ...(licence !== undefined && { licence }),
    checksum,
    splits,
  };
}

function hashOf(compiled: Compiled): string {
  try {
    return contentHash(compiled);
  } catch (error) {
    throw new EspalierError({
      code: "artifact-invalid",
      problem: "The artifact contains a value that JSON cannot represent",
      where: `program "${compiled.program.name}"`,
      got: messageOf(error),
      fix: "Keep demonstrations, scores and lineage plain: finite numbers, strings, booleans, null, lists, objects",
      cause: error,
    });
  }
}

function mapValues<TValue, TMade>(
  values: Readonly<Record<string, TValue>>,
  make: (value: TValue, key: string) => TMade,
): Record<string, TMade> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, make(value, key)]));
}

/**
 * The vectors by which a program chooses its demonstrations for recorded inputs. Calls its embedder
 * only if a choice is by vectors.
 *
 * @throws EspalierError `part-missing`, `embedding-invalid`; the embedder's errors
 */
export async function recordedVectors(
  program: Pick<TunableProgram, "embedInputs">,
  samples: RecordedInputs,
  options: { readonly signal?: AbortSignal } = {},
): Promise<RecordedVectors> {
  const ofPredictors = await Promise.all(
    Object.entries(samples).map(async ([predictor, recorded]) => {
      const vectors = await Promise.all(
        recorded.map((inputs) => program.embedInputs(predictor, inputs, options)),
      );
      return [predictor, vectors] as const;
    }),
  );
  return Object.fromEntries(ofPredictors);
}

/**
 * Picks at most `count` distinct inputs of each predictor from traces: the first calls of each
 * trace, then the second calls. Orders calls by path, not by time, so the same traces in the same
 * order give the same inputs however concurrent calls interleaved.
 */
export function recordedInputs(traces: readonly Trace[], count = 3): RecordedInputs {
  const calls = new Map<string, { readonly turn: number; readonly inputs: JsonObject }[]>();
  for (const { children } of traces) {
    const turns = new Map<string, number>();
    for (const { predictor, inputs } of renderedCalls(children).toSorted(byPath)) {
      const turn = turns.get(predictor) ?? 0;
      turns.set(predictor, turn + 1);
      const made = calls.get(predictor) ?? [];
      made.push({ turn, inputs });
      calls.set(predictor, made);
    }
  }
  return Object.fromEntries(
    [...calls]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([predictor, made]) => {
        const inTurns = made.toSorted((left, right) => left.turn - right.turn);
        const different = new Map(inTurns.map(({ inputs }) => [canonicalJson(inputs), inputs]));
        return [predictor, [...different.values()].slice(0, count)];
      }),
  );
}

/** Calls that rendered a prompt: a call with rejected inputs has none to compare with. */
function renderedCalls(nodes: readonly TraceNode[]): PredictorTrace[] {
  return nodes.flatMap((node) => {
    if (node.kind === "scope") return renderedCalls(node.children);
    return node.kind === "predictor" && node.calls.length > 0 ? [node] : [];
  });
}

function byPath(left: PredictorTrace, right: PredictorTrace): number {
  return left.path < right.path ? -1 : 1;
}

/** The part of an evaluation that an artifact keeps: the figures, without rows and times. */
export function artifactScore(evaluation: Evaluation, split: SplitName): ArtifactScore {
  const { metric, value, interval, objective, objectives, counts, coverage, rows } = evaluation;
  const { seed, repetitions } = evaluation;
  const clusters = new Set(rows.map(({ cluster }) => cluster)).size;
  return {
    split,
    metric,
    value,
    interval,
    objective,
    objectives,
    counts,
    coverage,
    clusters,
    seed,
    repetitions,
  };
}
