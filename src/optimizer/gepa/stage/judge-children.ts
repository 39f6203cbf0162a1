import type { Course } from "../state/course.ts";
import type { Tools } from "../state/tools.ts";
import type { GatedChild } from "./gate.ts";
import { judge } from "./judge.ts";
import { droppedChild } from "./rejected-child.ts";
import { validate } from "./validate.ts";

interface JudgingParts {
  readonly tools: Tools;
  /** Called in a wide search before the first of these children is run on val. */
  readonly onVal: (children: readonly GatedChild[]) => Promise<void>;
}

/**
 * Evaluates children on val and decides which become candidates: side by side or, in a wide search,
 * in order of their gain until one is accepted.
 */
export async function judgeChildren(
  children: readonly GatedChild[],
  course: Course,
  { tools, onVal }: JudgingParts,
): Promise<void> {
  if (tools.settings.proposals.isWide !== true) {
    await judgeTogether(children, course, tools);
    return;
  }
  const inOrder = children.toSorted((one, other) => other.gain - one.gain);
  for (const [place, one] of inOrder.entries()) {
    if (course.state().accepted.length === 0) {
      await onVal(inOrder.slice(place));
      await judgeTogether([one], course, tools);
    } else {
      const detail = "Another proposal of this iteration was accepted first.";
      course.act(droppedChild(one.child, detail));
    }
  }
}

async function judgeTogether(
  children: readonly GatedChild[],
  { state, act }: Course,
  tools: Tools,
): Promise<void> {
  const validated = await validate(children, state(), tools);
  act(validated.decisions);
  for (const child of validated.children) act(await judge(child, state(), tools));
}
