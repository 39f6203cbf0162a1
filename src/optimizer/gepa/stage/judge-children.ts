import type { Course } from "../state/course.ts";
import type { Tools } from "../state/tools.ts";
import type { GatedChild } from "./gate.ts";
import { judge } from "./judge.ts";
import { droppedChild } from "./rejected-child.ts";
import { validate } from "./validate.ts";

/**
 * Evaluates children on val and decides which become candidates: side by side or, in a wide search,
 * in order of their gain until one is accepted.
 */
export async function judgeChildren(
  children: readonly GatedChild[],
  course: Course,
  tools: Tools,
): Promise<void> {
  if (tools.settings.proposals.isWide !== true) {
    await judgeTogether(children, course, tools);
    return;
  }
  for (const one of children.toSorted((one, other) => other.gain - one.gain)) {
    if (course.state().accepted.length === 0) await judgeTogether([one], course, tools);
    else {
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
