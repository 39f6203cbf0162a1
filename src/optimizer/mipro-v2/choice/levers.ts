import type { Component } from "../../../contract/index.ts";
import { EspalierError } from "../../../errors/index.ts";
import type { TextComponent } from "../../task/text-component.ts";
import { isText } from "../../task/text-component.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import { parametersOf } from "./choices.ts";
import type { MiproV2Settings } from "../settings/mipro-v2-settings.ts";
import { isZeroShot } from "./demo-sets.ts";

export type DemosComponent = Extract<Component, { readonly kind: "demos" }>;

/** What a search may change. */
export interface Levers {
  readonly texts: readonly TextComponent[];
  readonly demos: readonly DemosComponent[];
  /** Choices that a trial makes. */
  readonly count: number;
}

/** Throws `component-unknown` for a space without instructions. */
export function leversOf(space: SearchSpace, settings: MiproV2Settings): Levers {
  const texts = space.components.filter(isText).filter(({ kind }) => kind === "instruction");
  if (texts.length === 0) {
    throw new EspalierError({
      code: "component-unknown",
      problem: `\`${space.name}\` has no instruction that miproV2() could change`,
      expected: "a program with predictors",
      got: "none",
      fix: "Search numbers and choices with `parameterSearch()`.",
    });
  }
  const demos = space.components.filter((component) => component.kind === "demos");
  const ofDemos = isZeroShot(settings) ? 0 : demos.length;
  const ofParameters = settings.parameters ? parametersOf(space).length : 0;
  return { texts, demos, count: texts.length + ofDemos + ofParameters };
}
