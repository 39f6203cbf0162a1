import { componentId } from "../../../internal/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { predictorOf } from "../../candidate/components.ts";
import type { Lesson } from "../evidence/lessons.ts";
import type { ComponentSelection, Minibatch, SearchView } from "./strategy.ts";
import type { LessonRoom } from "../../proposal/case/render-cases.ts";
import { rolloutsThatFit } from "../../proposal/case/render-cases.ts";
import type { TextComponent } from "../../task/search-space.ts";

interface LessonChoice {
  /** Index of the proposal within its iteration. */
  readonly index: number;
  readonly room: LessonRoom;
  readonly selection: ComponentSelection;
  /** Whether the budget must have room for the child's evaluation. @default true */
  readonly mustFit?: boolean;
  /**
   * Whether the lesson must concern every component to be changed: an evaluation is too expensive
   * to change only one of them where all could change. @default false
   */
  readonly isForAll?: boolean;
}

/**
 * A minibatch of the lessons left to learn from, one per distinct feedback; `null` if none are
 * left. Those that gold has explained come before all others.
 */
export function lessonMinibatch(
  view: SearchView,
  parent: CandidateRecord,
  choice: LessonChoice,
): Minibatch | null {
  const lessons = [...view.lessons.of(parent.id).values()];
  const explained = lessons.filter(({ rollout }) => rollout.lesson?.excused !== undefined);
  const first = explained.length === 0 ? null : minibatchOf(explained, view, parent, choice);
  return first ?? minibatchOf(lessons, view, parent, choice);
}

function minibatchOf(
  lessons: readonly Lesson[],
  view: SearchView,
  parent: CandidateRecord,
  { index, room, selection, mustFit = true, isForAll = false }: LessonChoice,
): Minibatch | null {
  const open = new Map<TextComponent, readonly Lesson[]>();
  const openFor = (component: TextComponent): readonly Lesson[] => {
    const found = open.get(component) ?? openLessons(view, lessons, component);
    open.set(component, found);
    return found;
  };
  const { components } = selection.select(view, {
    parent,
    rollouts: lessons.map(({ rollout }) => rollout),
    components: view.componentsOf(parent),
    pointer: view.pointerOf(parent.id),
    isInvoked: (component) =>
      openFor(component).length > 0 &&
      (!mustFit || view.fits({ rollouts: view.neededOnVal([component]), reflectionCalls: 1 })),
  });
  const [first, ...others] = components;
  if (first === undefined) return null;
  const together = [first];
  for (const other of others) {
    const rollouts = view.neededOnVal([...together, other]);
    if (view.fits({ rollouts, reflectionCalls: together.length + 1 })) together.push(other);
  }
  const teaching = (lesson: Lesson): readonly TextComponent[] =>
    together.filter((component) => openFor(component).includes(lesson));
  const shuffled = view.random("lessons", index).shuffle(openFor(first));
  const lessonsOfMost =
    together.length === 1
      ? shuffled
      : shuffled.toSorted((one, other) => teaching(other).length - teaching(one).length);
  // A component stays unchanged if the first lesson says nothing new about it.
  const changed = lessonsOfMost.slice(0, 1).flatMap(teaching);
  if (isForAll && changed.length < together.length) return null;
  const saidOf = view.lessons.saidOf(predictorOf(first));
  const feedbackIn = ({ rollout }: Lesson): string => saidOf(rollout) || rollout.exampleId;
  const shown = distinct(lessonsOfMost, feedbackIn, room.most).map(({ rollout }) => rollout);
  const rollouts = rolloutsThatFit(shown, changed, room);
  return {
    kind: "known",
    exampleIds: rollouts.map(({ exampleId }) => exampleId),
    rollouts,
    components: changed,
  };
}

/** The first lessons with feedback of their own. */
function distinct(
  lessons: readonly Lesson[],
  feedbackIn: (lesson: Lesson) => string,
  most: number,
): readonly Lesson[] {
  const found = new Map<string, Lesson>();
  for (const lesson of lessons) {
    const feedback = feedbackIn(lesson);
    if (!found.has(feedback)) found.set(feedback, lesson);
    if (found.size === most) break;
  }
  return [...found.values()];
}

/**
 * The lessons of rollouts that fell short and teach something about a component which they have not
 * yet changed; without those that failed on its text.
 */
function openLessons(
  { perfectScore, lessons: { saidOf, failedOn } }: SearchView,
  lessons: readonly Lesson[],
  component: TextComponent,
): readonly Lesson[] {
  const id = componentId(component);
  const feedbackIn = saidOf(predictorOf(component));
  const hasFailed = failedOn(component);
  return lessons.filter(
    ({ rollout, actedOn }) =>
      rollout.score.kind === "scored" &&
      rollout.score.value < (perfectScore ?? Infinity) &&
      !actedOn.has(id) &&
      feedbackIn(rollout) !== null &&
      !hasFailed(rollout),
  );
}

/**
 * Maximum rollouts on val for a child, for each component that it could change; ascending. Excludes
 * components that ran nowhere on val, since nothing can be learned about them there.
 */
export function costsOnVal(view: SearchView, parent: CandidateRecord): readonly number[] {
  return view
    .componentsOf(parent)
    .map((component) => view.neededOnVal([component]))
    .filter((cost) => cost > 0)
    .toSorted((one, other) => one - other);
}
