import type { CandidateRecord } from "../../candidate-record.ts";
import { jointComponents } from "../component/joint-components.ts";
import type { Lesson } from "../memory/lessons.ts";
import { feedbackOn, teaches } from "../proposal/reflective-cases.ts";
import { checkCount } from "../strategy/check-range.ts";
import type {
  ComponentSelection,
  Minibatch,
  MinibatchSampling,
  SearchView,
} from "../strategy/strategy.ts";
import type { TextComponent } from "../text-component.ts";
import { predictorOf } from "../text-component.ts";

export interface TargetedLessonsOptions {
  /** Examples shown at a time: one that the proposal is about, and others. @default 3 */
  readonly size?: number;
  /**
   * Examples that must have run each component before the first proposal, as far as train has them.
   * @default 12
   */
  readonly initial?: number;
  /** @default jointComponents() */
  readonly components?: ComponentSelection;
}

/**
 * Learns from what is known before it runs anything: examples on which the parent, or an ancestor, fell
 * short and by which the component was not changed yet, one of each distinct feedback. An example whose
 * lesson came to nothing on this very text is passed over until nothing else is left, and then tried
 * once more. Where no lesson is left, the parent is run on examples that it was not run on.
 */
export function targetedLessons({
  size = 3,
  initial = 12,
  components: selection = jointComponents(),
}: TargetedLessonsOptions = {}): MinibatchSampling {
  checkCount("size", size);
  checkCount("initial", initial);
  return {
    name: "targeted-lessons",
    settings: { size, initial, components: { name: selection.name, ...selection.settings } },
    next: (view, parent, place) => {
      const first = worthRunning(view, parent);
      if (parent.id === 0 && view.candidates.length === 1) {
        const isFilled = view
          .componentsOf(parent)
          .every((component) => runsOf(view, parent, component) >= initial);
        if (!isFilled && first.length > 0) {
          return { kind: "explore", exampleIds: first.slice(0, initial) };
        }
      }
      const known = fromKnown(view, parent, { place, size, selection });
      if (known !== null) return known;
      if (first.length > 0) return { kind: "explore", exampleIds: first.slice(0, size) };
      return view.lessons.forgive() ? fromKnown(view, parent, { place, size, selection }) : null;
    },
  };
}

function fromKnown(
  view: SearchView,
  parent: CandidateRecord,
  {
    place,
    size,
    selection,
  }: { readonly place: number; readonly size: number; readonly selection: ComponentSelection },
): Minibatch | null {
  const lessons = [...view.lessons.of(parent.id).values()];
  const rollouts = lessons.map(({ rollout }) => rollout);
  const openFor = (component: TextComponent): readonly Lesson[] =>
    lessons.filter((lesson) => isOpen(view, lesson, component));
  const { components } = selection.select(view, {
    parent,
    rollouts,
    components: view.componentsOf(parent),
    pointer: view.pointerOf(parent.id),
    isInvoked: (component) =>
      openFor(component).length > 0 && view.fits(view.mostMissingOnVal(parent, [component]), 1),
  });
  const [first] = components;
  if (first === undefined) return null;
  const distinct = new Map<string, Lesson>();
  for (const lesson of view.random("lessons", place).shuffle(openFor(first))) {
    const said = feedbackOn(lesson.rollout, predictorOf(first));
    if (!distinct.has(said)) distinct.set(said, lesson);
  }
  const shown = [...distinct.values()].slice(0, size);
  return {
    kind: "known",
    exampleIds: shown.map(({ rollout }) => rollout.exampleId),
    rollouts: shown.map(({ rollout }) => rollout),
    components,
  };
}

function isOpen(view: SearchView, { rollout, actedOn }: Lesson, component: TextComponent): boolean {
  const { score } = rollout;
  return (
    score.kind === "scored" &&
    score.value < (view.perfectScore ?? Infinity) &&
    !actedOn.has(`${component.kind}:${component.path}`) &&
    teaches(rollout, predictorOf(component)) &&
    !view.lessons.hasFailed(component, rollout)
  );
}

/**
 * Examples of train to run the parent on: those it knows nothing of and then, since feedback tells what
 * comes first, those whose lesson it has acted on. In an order of this iteration.
 */
function worthRunning(view: SearchView, parent: CandidateRecord): readonly string[] {
  const known = view.lessons.of(parent.id);
  const shuffled = view.random("exploration").shuffle(view.train);
  const isActedOn = (id: string): boolean => (known.get(id)?.actedOn.size ?? 0) > 0;
  return [...shuffled.filter((id) => !known.has(id)), ...shuffled.filter(isActedOn)];
}

function runsOf(
  { lessons }: SearchView,
  { id }: CandidateRecord,
  component: TextComponent,
): number {
  const predictor = predictorOf(component);
  return [...lessons.of(id).values()].filter(({ rollout }) => rollout.ran.includes(predictor))
    .length;
}
