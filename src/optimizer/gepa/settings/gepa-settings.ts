import { EspalierError } from "../../../errors/index.ts";
import type { JsonObject } from "../../../contract/index.ts";
import { checkAtLeast, checkCount, mapValues, optionOutside } from "../../../internal/index.ts";
import type { Strategy } from "../../contract/optimizer.ts";
import { strictImprovement, neutralByTraining, allPassed } from "../strategy/acceptance.ts";
import { jointComponents } from "../strategy/components.ts";
import { scoreReuses } from "../evidence/rollout-memory.ts";
import { targetedLessons } from "../strategy/targeted-lessons.ts";
import { bestOrParetoParent, sameParent } from "../strategy/parents.ts";
import { defaultChecks } from "../../proposal/check/proposal-checks.ts";
import { reflectiveProposer } from "../../proposal/reflective-proposer.ts";
import { frontierKinds } from "../strategy/frontier.ts";
import type {
  AcceptanceOptions,
  GepaOptions,
  ReflectionOptions,
  SearchOptions,
  StopOptions,
} from "./gepa-options.ts";

/** Options with their defaults filled in. */
export interface GepaSettings {
  readonly components: readonly string[];
  readonly reflection: Filled<Omit<ReflectionOptions, "lm">>;
  /** `valSample` is `undefined` where the budget decides. */
  readonly search: Filled<Omit<SearchOptions, "valSample">> & {
    readonly valSample: number | null | undefined;
  };
  readonly acceptance: Filled<AcceptanceOptions>;
  readonly stop: Filled<StopOptions>;
}

type Filled<TOptions> = { readonly [Name in keyof TOptions]-?: TOptions[Name] };

/**
 * Fills in defaults; throws `option-invalid` for values outside their range and for unknown names.
 */
export function gepaSettings(options: GepaOptions): GepaSettings {
  const { components = ["instruction"], reflection, search, acceptance, stop } = options;
  const { component = jointComponents() } = search ?? {};
  checkCount("minibatchSize", search?.minibatchSize ?? 1, 1, "gepa()");
  const settings: GepaSettings = {
    components,
    reflection: filled(
      "reflection",
      reflection,
      { proposer: reflectiveProposer(), checks: defaultChecks(), secondTries: 1 },
      ["lm"],
    ),
    search: filled("search", search, {
      parent: bestOrParetoParent(),
      frontier: "instance",
      minibatch: targetedLessons({
        ...(search?.minibatchSize !== undefined && { size: search.minibatchSize }),
        components: component,
      }),
      minibatchSize: 3,
      valSample: undefined,
      component,
      proposals: sameParent(),
      perfectScore: 1,
      scoreReuse: "trace",
    }),
    acceptance: filled("acceptance", acceptance, {
      gateAbove: 4,
      minibatch: strictImprovement(),
      selection: allPassed(),
      val: neutralByTraining(),
    }),
    stop: filled("stop", stop, {
      when: [],
      maxIdleIterations: null,
      maxReflectionFailures: 5,
    }),
  };
  checkNames("", options, ["budget", "seed", ...Object.keys(settings)]);
  check(settings);
  return Object.freeze(settings);
}

/** A group's options over its defaults, which name them all but those used `elsewhere`. */
function filled<TSettings extends object>(
  group: string,
  given: object = {},
  defaults: TSettings,
  elsewhere: readonly string[] = [],
): TSettings {
  checkNames(`${group}.`, given, [...Object.keys(defaults), ...elsewhere]);
  const own = Object.entries(given).filter(
    ([name, value]) => name in defaults && value !== undefined,
  );
  return { ...defaults, ...Object.fromEntries(own) };
}

function checkNames(prefix: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: `gepa() has no option \`${prefix}${unknown}\``,
    expected: known.map((one) => `\`${one}\``).join(", "),
    got: `\`${prefix}${unknown}\``,
  });
}

function check({ reflection, search, acceptance, stop }: GepaSettings): void {
  checkOneOf("scoreReuse", search.scoreReuse, scoreReuses);
  checkOneOf("frontier", search.frontier, frontierKinds);
  checkCount("valSample", search.valSample ?? 1, 1, "gepa()");
  checkAtLeast("perfectScore", search.perfectScore ?? 0, -Infinity, "gepa()");
  checkCount("secondTries", reflection.secondTries, 0, "gepa()");
  checkAtLeast("gateAbove", acceptance.gateAbove ?? 0, 0, "gepa()");
  checkCount("maxReflectionFailures", stop.maxReflectionFailures, 1, "gepa()");
  checkCount("maxIdleIterations", stop.maxIdleIterations ?? 1, 1, "gepa()");
}

function checkOneOf(option: string, value: string, words: readonly string[]): void {
  if (words.includes(value)) return;
  throw optionOutside(option, value, words.join(", "), "gepa()");
}

/**
 * Whether a child must first do better on its minibatch, where its evaluation on val would take
 * `onVal` rollouts.
 */
export function isGated(
  { acceptance: { gateAbove }, search: { minibatchSize } }: GepaSettings,
  onVal: number,
): boolean {
  if (gateAbove === null) return false;
  // 0 requires the minibatch even if nothing is missing on val.
  return gateAbove === 0 || onVal > gateAbove * minibatchSize;
}

/** Settings as plain JSON, with strategies by name and settings, for a run's description. */
export function describeSettings(settings: GepaSettings): JsonObject {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    if (!("name" in value)) return mapValues<unknown, unknown>({ ...value }, plain);
    const { name, settings: own } = value as Strategy;
    return own === undefined ? name : { name, ...own };
  };
  return plain(settings) as JsonObject;
}
