import type { Component, Embedder, GoldPart, JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { componentId } from "../../internal/index.ts";
import type { Parameter } from "../../program/index.ts";

/** What an optimizer may vary, and the examples it may learn from. */
export interface SearchSpace {
  readonly name: string;
  /** Every component, with its initial value. */
  readonly components: readonly Component[];
  /**
   * The allowed values of components of kind `parameter`, by path; absent if only texts are
   * searched.
   */
  readonly parameters?: Readonly<Record<string, Parameter>>;
  /** Ids of the examples that give feedback. */
  readonly train: readonly string[];
  /** Ids of the examples that select. The same list object as `train` when one split does both. */
  readonly val: readonly string[];
  /** Whether the objective is a mean over examples. @default true */
  readonly isMean?: boolean;
  /** Examples of each split that are in neither list: the objective scores no output on them. */
  readonly leftOut?: Readonly<Record<"train" | "val", number>>;
  /**
   * The labels of an example of `train`, by which a proposed text is kept from repeating them; they
   * reach no model. @default unknown
   */
  readonly labelsOf?: (exampleId: string) => unknown;
  /** The input of an example of `train` or `val`, to tell which are alike. @default unknown */
  readonly inputOf?: (exampleId: string) => unknown;
  /** The cluster of an example of `train` or `val`, if it has one. @default none */
  readonly clusterOf?: (exampleId: string) => string | undefined;
  /**
   * The part of an example of `train` that is known without a run to be what a predictor takes: the
   * program's inputs that are the predictor's own. @default nothing
   */
  readonly inputsOf?: (predictor: string, exampleId: string) => JsonObject;
  /** What labels know of a predictor on an example of `train`. @default nothing */
  readonly goldOf?: (predictor: string, exampleId: string) => GoldPart | null;
  /**
   * What a predictor should have written on an example of `train`: its outputs by gold where the
   * study gives gold for it, and otherwise the labels that are all of its outputs by name and type,
   * and outputs of the program, too. `null`: unknown. @default unknown
   */
  readonly labelledOutputsOf?: (predictor: string, exampleId: string) => JsonObject | null;
  /**
   * Whether inputs and labels of an example of `train` tell all that a run could show of each
   * predictor's work. @default they do not
   */
  readonly isCoveredByLabels?: (exampleId: string) => boolean;
  /** The program's embedder, by which demonstrations can be chosen. @default none */
  readonly embedder?: Embedder;
  /** What a component is for, as shown to the model that rewrites it; reveals no data. */
  describe(component: Component): string;
}

/** A component whose value is a text. */
export type TextComponent = Extract<Component, { readonly value: string }> & {
  readonly kind: "instruction" | "fieldDescription" | "toolDescription";
};

const kindsOfText: ReadonlySet<string> = new Set([
  "instruction",
  "fieldDescription",
  "toolDescription",
]);

export function isText(component: Component): component is TextComponent {
  return kindsOfText.has(component.kind);
}

/** The space's texts selected by a list of kinds and ids, in the space's order. */
export function textComponents(
  { name, components }: SearchSpace,
  selectors: readonly string[],
): readonly TextComponent[] {
  const texts = components.filter(isText);
  return selectedComponents(texts, selectors, { owner: "gepa()", program: name });
}

/**
 * Components that a list of kinds and ids selects, in their order. Throws `component-unknown` if
 * that is none, or one of the list selects none.
 *
 * @param owner whose option the list is, for errors
 * @param optional kinds that a program may lack
 */
export function selectedComponents<TComponent extends Component>(
  all: readonly TComponent[],
  selectors: readonly string[],
  {
    owner,
    program,
    optional = [],
  }: { readonly owner: string; readonly program: string; readonly optional?: readonly string[] },
): readonly TComponent[] {
  const matches = (selector: string) => (component: TComponent) =>
    selector === component.kind || selector === componentId(component);
  const unknown = selectors.find(
    (selector) => !optional.includes(selector) && !all.some(matches(selector)),
  );
  const selected = all.filter((one) => selectors.some((selector) => matches(selector)(one)));
  if (unknown === undefined && selected.length > 0) return selected;
  const kinds = new Set([...optional, ...all.map(({ kind }) => kind)]);
  throw new EspalierError({
    code: "component-unknown",
    problem: `${owner} ${unknown === undefined ? "has no component to change" : `cannot change \`${unknown}\``} in \`${program}\``,
    expected: [...kinds, ...all.map(componentId)].join(", "),
  });
}
