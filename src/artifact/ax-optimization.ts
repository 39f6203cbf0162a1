import type {
  Demonstration,
  Json,
  JsonObject,
  LmIdentity,
  ParameterValue,
} from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { canonicalJson, joinNames } from "../internal/index.ts";
import type { PredictorSettings } from "../program/index.ts";
import type { Artifact, Compiled } from "./file/artifact.ts";
import {
  checkSamePrompts,
  demosOf,
  fieldsOf,
  instructionOf,
  parameterValuesOf,
} from "./component-values.ts";

/**
 * Input of ax's `axDeserializeOptimizedProgram()`, and then `applyOptimization()`, for ax 24: plain
 * JSON, so that running it requires only ax. Figures that ax never reads are zero.
 */
export interface AxOptimization {
  readonly bestScore: number;
  readonly stats: JsonObject;
  /** `ID::instruction` for each program. */
  readonly componentMap: Readonly<Record<string, string>>;
  /** Empty lists remove the ax program's own demonstrations. */
  readonly demos: readonly { readonly programId: string; readonly traces: readonly JsonObject[] }[];
  /** Present if all included predictors have the same sampling. */
  readonly modelConfig?: JsonObject;
  readonly optimizerType: string;
  readonly optimizationTime: number;
  readonly totalRounds: number;
  readonly converged: boolean;
  /** Data for which ax has no place; ax ignores it. */
  readonly espalier: {
    readonly program: string;
    /** Content hash. */
    readonly artifact: string;
    /** The LM with which `bestScore` was measured. */
    readonly lm: LmIdentity;
    readonly parameters: Readonly<Record<string, ParameterValue>>;
    /** By predictor and field; they belong in the ax signature. */
    readonly fieldDescriptions: Readonly<Record<string, Readonly<Record<string, string>>>>;
    /**
     * Ids of the examples whose demonstrations ax would reject, since they show no input or no
     * output.
     */
    readonly leftOut: readonly string[];
  };
}

export interface AxOptimizationOptions {
  /**
   * Predictors to include; ax rejects demonstrations for programs that it does not have. @default
   * all
   */
  readonly predictors?: readonly string[];
  /** The id of a predictor's ax program, as passed to `setId()`. @default its name */
  readonly idOf?: (predictor: string) => string;
}

/**
 * Converts an artifact to instructions and demonstrations that ax can apply to its own programs. ax
 * capitalises the first letter of an instruction and adds a full stop.
 *
 * @throws EspalierError `component-unknown` for a predictor that the program lacks,
 *   `component-invalid` for one that chooses demonstrations for each input
 */
export function axOptimization(
  { hash, compiled }: Artifact,
  { predictors: wanted, idOf = (predictor) => predictor }: AxOptimizationOptions = {},
): AxOptimization {
  const { program, optimizer, lineage, lm } = compiled;
  const names = wanted ?? Object.keys(compiled.predictors);
  const taken = names.map((name) => {
    const predictor = Object.hasOwn(compiled.predictors, name)
      ? compiled.predictors[name]
      : undefined;
    if (predictor === undefined) throw predictorUnknown(name, compiled);
    const { input, output } = fieldsOf(compiled, name, predictor);
    const described = [...input, ...output].map((field) => [field.name, field.description]);
    return {
      name,
      id: idOf(name),
      settings: predictor.settings,
      demos: demosOf(compiled, name),
      descriptions: Object.fromEntries(described) as Readonly<Record<string, string>>,
    };
  });
  checkSamePrompts(compiled, names);
  const bestScore = bestScoreOf(compiled);
  const modelConfig = sharedModelConfig(taken.map(({ settings }) => settings));
  return {
    bestScore,
    stats: statsOf(bestScore),
    componentMap: Object.fromEntries(
      taken.map(({ name, id }) => [`${id}::instruction`, instructionOf(compiled, name)]),
    ),
    demos: taken.flatMap(({ id, demos }) => {
      const traces = demos.filter(isShowable).map(traceOf);
      return traces.length === 0 ? [] : [{ programId: id, traces }];
    }),
    ...(modelConfig === null ? {} : { modelConfig }),
    optimizerType: optimizer === null ? "espalier" : `espalier/${optimizer.name}`,
    optimizationTime: 0,
    totalRounds: lineage.length,
    converged: false,
    espalier: {
      program: program.name,
      artifact: hash,
      lm,
      parameters: parameterValuesOf(compiled),
      fieldDescriptions: Object.fromEntries(
        taken.map(({ name, descriptions }) => [name, descriptions]),
      ),
      leftOut: taken.flatMap(({ demos }) =>
        demos.filter((demo) => !isShowable(demo)).map(({ exampleId }) => exampleId),
      ),
    },
  };
}

/** The values without nulls, which ax does not support. */
function traceOf({ inputs, outputs }: Demonstration): JsonObject {
  return { ...shown(inputs), ...shown(outputs) };
}

function isShowable({ inputs, outputs }: Demonstration): boolean {
  return [inputs, outputs].every((side) => Object.keys(shown(side)).length > 0);
}

function shown(side: JsonObject): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(side).filter(([, value]) => value !== null));
}

/** The score by which an optimizer selected, else the first one. */
function bestScoreOf({ scores }: Compiled): number {
  const found = scores.find(({ split }) => split === "val") ?? scores[0];
  return found?.value ?? 0;
}

/** ax has one set of sampling options for a whole optimized program. */
function sharedModelConfig(settings: readonly PredictorSettings[]): JsonObject | null {
  const [first, ...rest] = settings.map(({ sampling }) => sampling);
  if (first === undefined) return null;
  if (rest.some((other) => canonicalJson(other) !== canonicalJson(first))) return null;
  const { temperature, topP, topK, presencePenalty, frequencyPenalty, maxCompletionTokens, stop } =
    first;
  return {
    temperature,
    topP,
    ...(topK === 0 ? {} : { topK }),
    presencePenalty,
    frequencyPenalty,
    maxTokens: maxCompletionTokens,
    ...(stop.length === 0 ? {} : { stopSequences: [...stop] }),
  };
}

function statsOf(bestScore: number): JsonObject {
  return {
    totalCalls: 0,
    successfulDemos: 0,
    estimatedTokenUsage: 0,
    earlyStopped: false,
    bestScore,
    resourceUsage: { totalTokens: 0, totalTime: 0, avgLatencyPerEval: 0, costByModel: {} },
    convergenceInfo: {
      converged: false,
      finalImprovement: 0,
      stagnationRounds: 0,
      convergenceThreshold: 0,
    },
  };
}

function predictorUnknown(name: string, { program, predictors }: Compiled): EspalierError {
  return new EspalierError({
    code: "component-unknown",
    problem: "There is no predictor with this name",
    where: `program "${program.name}"`,
    expected: joinNames(Object.keys(predictors)),
    got: JSON.stringify(name),
  });
}
