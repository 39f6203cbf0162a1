import type {
  DemonstrationVectors,
  LmMessage,
  ParameterValue,
  LmIdentity,
} from "../../contract/index.ts";
import {
  filesIn,
  imagesIn,
  parameterProblem,
  promptLayout,
  textOfContent,
} from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Parameters, Predictors, TunableProgram } from "../../program/index.ts";
import type { Artifact, Compiled } from "../file/artifact.ts";
import { artifactIn, readArtifact } from "../file/artifact-file.ts";
import type { Drift } from "./drift.ts";
import { changed, driftSentences } from "./drift.ts";
import { imagePlaceholder, joinNames } from "../../internal/index.ts";
import { predictorDrift } from "./predictor-drift.ts";
import { isMock } from "../../mock/index.ts";

/** The parts of a program that are compared with an artifact: declarations and rendering. */
export type ProgramDeclaration = Pick<
  TunableProgram,
  "name" | "version" | "predictors" | "parameters" | "with" | "render"
>;

/**
 * Returns the program with the artifact's components, and its own types. Sends nothing to a model.
 *
 * @param artifact the path of its file, or the artifact itself, also as JSON that a bundler read
 * @throws EspalierError `artifact-drifted` if the program is not the compiled one; names as many
 * changes as fit into a message, and the number of the others; `part-missing` if it chooses
 * demonstrations by an embedder and the program has none; as `readArtifact`
 * @example
 * const compiled = await loadArtifact("optimized.json", answerer);
 * const { answer } = await compiled.run({ question: "Who built the mill?" }, { lm });
 */
export function loadArtifact<TProgram extends TunableProgram>(
  artifact: string,
  program: TProgram,
): Promise<TProgram>;
export function loadArtifact<TProgram extends TunableProgram>(
  artifact: object & { readonly then?: never },
  program: TProgram,
): TProgram;
export function loadArtifact(
  given: string | object,
  program: TunableProgram,
): TunableProgram | Promise<TunableProgram> {
  return typeof given === "string"
    ? readArtifact(given).then((artifact) => withArtifact(artifact, program))
    : withArtifact(artifactIn(JSON.stringify(given), "the artifact given as JSON"), program);
}

function withArtifact(artifact: Artifact, program: TunableProgram): TunableProgram {
  checkDrift(artifact, program);
  checkEmbedders(artifact, program.predictors);
  return program.with(artifact.compiled.components);
}

/**
 * @throws EspalierError `artifact-drifted`, as in `loadArtifact`; `programDrift` returns all
 * differences
 */
export function checkDrift(artifact: Artifact, program: ProgramDeclaration): void {
  const drifts = programDrift(artifact, program);
  if (drifts.length === 0) return;
  const { name, version } = artifact.compiled.program;
  throw new EspalierError({
    code: "artifact-drifted",
    problem: `The program differs from the compiled one: ${driftSentences(drifts)}`,
    where: `artifact ${artifact.hash.slice(0, 12)} of program "${name}" ${version}`,
    fix: "Recompile the program, or restore its earlier code. To use the compiled components anyway, name the study and add `--candidate ARTIFACT`; in code, `program.with(artifact.compiled.components)`",
  });
}

/**
 * All differences between a program and the compiled one; empty if it can be loaded. Declarations
 * come first: prompts are compared only if all declarations match.
 */
export function programDrift(
  { compiled }: Artifact,
  program: ProgramDeclaration,
): readonly Drift[] {
  const declared = [
    ...changed("name of the program", compiled.program.name, program.name),
    ...changed("version of the program", compiled.program.version, program.version),
    ...predictorDrift(compiled, program.predictors),
    ...parameterDrift(compiled, program.parameters),
    ...embedderDrift(compiled, program.predictors),
    ...changed("layout of prompts", compiled.promptLayout, promptLayout),
  ];
  return declared.length > 0
    ? declared
    : promptDrift(compiled.samples, program.with(compiled.components));
}

/**
 * Predictors whose demonstrations were embedded by another embedder than they now have: its vectors
 * would be compared with those of another space. A predictor without one is no drift.
 */
function embedderDrift(compiled: Compiled, predictors: Predictors): readonly Drift[] {
  return vectorsIn(compiled).flatMap(({ path, by }) => {
    const now = predictors[path]?.embedder;
    if (!now) return [];
    const { provider, model } = now.identity;
    return changed(`embedder of predictor "${path}"`, by.embedder, { provider, model });
  });
}

/** The model of the embedder that an artifact needs; `null` if it needs none. */
export function embedderOf({ compiled }: Artifact): DemonstrationVectors["embedder"] | null {
  return vectorsIn(compiled)[0]?.by.embedder ?? null;
}

/** @throws EspalierError `part-missing` if a predictor needs an embedder and has none */
function checkEmbedders({ hash, compiled }: Artifact, predictors: Predictors): void {
  const without = vectorsIn(compiled).filter(({ path }) => predictors[path]?.embedder === null);
  const [first] = without;
  if (first === undefined) return;
  const { provider, model } = first.by.embedder;
  throw new EspalierError({
    code: "part-missing",
    problem: `The artifact chooses the demonstrations of ${joinNames(without.map(({ path }) => path))} with an embedder, but the program has none`,
    where: `artifact ${hash.slice(0, 12)} of program "${compiled.program.name}" ${compiled.program.version}`,
    expected: `the embedder \`${model}\` (${provider})`,
    fix: "Give it to the program with `program.withEmbedder(embedder)`, or name it as `embedder` in espalier.servers.json",
  });
}

function vectorsIn({
  components,
}: Compiled): readonly { readonly path: string; readonly by: DemonstrationVectors }[] {
  return components.flatMap((component) => {
    const by = component.kind === "demos" ? component.nearest?.by : undefined;
    return by === undefined || by === "words" ? [] : [{ path: component.path, by }];
  });
}

/**
 * Parameters that were added or removed, have another kind, or no longer allow the compiled value.
 * A changed range that still allows the value is not a drift, since the program runs with that
 * value.
 */
function parameterDrift(
  { parameters: was, components }: Pick<Compiled, "parameters" | "components">,
  now: Parameters,
): readonly Drift[] {
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].flatMap(
    (name): readonly Drift[] => {
      const what = `parameter "${name}"`;
      const [before, after] = [was[name], now[name]];
      if (after === undefined) return [{ what, was: before?.kind ?? "", now: null }];
      if (before === undefined) return [{ what, was: null, now: after.kind }];
      if (before.kind !== after.kind) return changed(`kind of ${what}`, before.kind, after.kind);
      const value = valueOf(name, components);
      const admitted = value === undefined ? null : parameterProblem(after, value);
      if (admitted === null) return [];
      return [
        {
          what: `value of ${what}`,
          was: JSON.stringify(value),
          now: `no longer in its range: ${admitted}`,
        },
      ];
    },
  );
}

function valueOf(name: string, components: Compiled["components"]): ParameterValue | undefined {
  for (const component of components) {
    if (component.kind === "parameter" && component.path === name) return component.value;
  }
  return undefined;
}

/**
 * Recorded inputs that no longer render the recorded prompt: the first one of each predictor, with
 * the first line that differs. Catches changes that declarations do not show, in a driver, a
 * template or the rendering of a value.
 */
export function promptDrift(
  samples: Compiled["samples"],
  program: Pick<TunableProgram, "render">,
): readonly Drift[] {
  return Object.entries(samples).flatMap(([predictor, recorded]) => {
    for (const [index, { inputs, vector, messages }] of recorded.entries()) {
      const what = `prompt of predictor "${predictor}" for recorded input ${index + 1}`;
      const rendered = attempt(() => program.render(predictor, inputs, { vector }));
      if (typeof rendered === "string") return [{ what, was: "rendered", now: rendered }];
      const drift = firstDifference(what, messages, rendered);
      if (drift !== null) return [drift];
    }
    return [];
  });
}

function attempt<TMade>(make: () => TMade): TMade | string {
  try {
    return make();
  } catch (error) {
    if (EspalierError.isInstance(error)) return `refused: ${error.report.problem}`;
    throw error;
  }
}

function firstDifference(
  what: string,
  was: readonly LmMessage[],
  now: readonly LmMessage[],
): Drift | null {
  const [before, after] = [was.flatMap(linesOf), now.flatMap(linesOf)];
  const position = before.findIndex((line, index) => line.text !== after[index]?.text);
  const at = position >= 0 ? position : before.length;
  if (at === before.length && at === after.length) return null;
  const { where } = before[at] ?? after[at] ?? { where: "end" };
  const [old, held] = [before[at], after[at]].map((line) => line?.text.replace(/^\| /, ""));
  const [drift = null] = changed(`${where} of the ${what}`, old, held);
  return drift;
}

interface Line {
  readonly where: string;
  readonly text: string;
}

/** Each message as a line with its role, then its own lines. */
function linesOf({ role, content }: LmMessage, index: number): readonly Line[] {
  const message = `message ${index + 1} (${role})`;
  return [
    { where: message, text: `===== ${role}` },
    ...textOfContent(content)
      .split("\n")
      .map((text, line) => ({ where: `line ${line + 1} of ${message}`, text: `| ${text}` })),
    ...imagesIn([{ role, content }]).map(({ url }, index) => ({
      where: `image ${index + 1} of ${message}`,
      text: `| ${imagePlaceholder(url)}`,
    })),
    ...filesIn([{ role, content }]).map(({ url }, index) => ({
      where: `file ${index + 1} of ${message}`,
      text: `| ${imagePlaceholder(url)}`,
    })),
  ];
}

/**
 * Refuses to run an artifact on a real LM if an optimizer chose it by the rehearsal LM's answers:
 * such an artifact only demonstrates the format. A program compiled as declared was not chosen by
 * an optimizer, and passes.
 *
 * @throws EspalierError `artifact-rehearsed`
 */
export function refuseRehearsed({ compiled }: Artifact, lm: LmIdentity): void {
  if (compiled.optimizer === null || isMock(lm)) return;
  const { reflectionLm, judgeLm, teacherLm } = compiled.optimizer;
  if (![compiled.lm, reflectionLm, judgeLm, teacherLm].some((asked) => isMock(asked))) return;
  throw new EspalierError({
    code: "artifact-rehearsed",
    problem: `The artifact of "${compiled.program.name}" was compiled with the rehearsal LM, which says nothing about a real model`,
    got: `a run with the model "${lm.model}"`,
    expected: "an artifact compiled with a real LM",
    fix: "Compile it with `espalier optimize STUDY --lm URL`, or allow it with --allow-rehearsal-artifacts.",
  });
}
