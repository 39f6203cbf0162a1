import { describe, expect, it } from "vitest";
import type { Minibatch, ProposalTask } from "espalier/optimizer";
import { roundRobin, targetedLessons } from "espalier/optimizer";
import { lessons } from "../../../../src/optimizer/gepa/evidence/lessons.ts";
import { afterRejections } from "../../../../src/optimizer/gepa/strategy/lesson-minibatch.ts";
import { rolloutOf, textOf } from "../support/rollouts.ts";
import { candidateOf, searchView } from "../support/search-view.ts";

const components = [textOf("first"), textOf("second")];
const seed = candidateOf(0, { v: 0 }, { components });
const child = candidateOf(1, { v: 0.5 }, { components });
const sampling = targetedLessons({ size: 1, initial: 1, components: roundRobin() });

/** What each further proposal from the child learns from, until none is left. */
function inTurn(said: readonly Readonly<Record<string, string>>[]): readonly Minibatch[] {
  const held = lessons();
  held.add(
    1,
    said.map((feedback, index) => rolloutOf(`t${index}`, { ran: Object.keys(feedback), feedback })),
  );
  const view = searchView({ candidates: [seed, child], lessons: held });
  const tasks: ProposalTask[] = [];
  const chosen: Minibatch[] = [];
  for (let index = 0; index < 9; index++) {
    const minibatch = sampling.next(afterRejections(view, tasks), child, index);
    if (minibatch === null) return chosen;
    if (minibatch.kind === "forgive") throw new Error("What has not failed yet was forgiven.");
    tasks.push({ parent: 1, minibatch });
    chosen.push(minibatch);
  }
  throw new Error("Lessons came again.");
}

describe("proposals made as if those before them had been refused", () => {
  it("learn each from a lesson of its own, one for each distinct feedback", () => {
    const said = ["A.", "B.", "A.", "C."].map((first) => ({ first }));
    const chosen = inTurn(said);
    const feedback = chosen.flatMap(({ exampleIds }) =>
      exampleIds.map((id) => said[Number(id.slice(1))]?.first),
    );
    expect(feedback.toSorted()).toEqual(["A.", "B.", "C."]);
  });

  it("take the components in turn", () => {
    const chosen = inTurn([{ first: "A." }, { first: "B." }, { second: "C." }, { second: "D." }]);
    const paths = chosen.flatMap((one) =>
      one.kind === "known" ? one.components.map(({ path }) => path) : [],
    );
    expect(paths).toEqual(["first", "second", "first", "second"]);
  });

  it("change nothing of the search itself", () => {
    const held = lessons();
    held.add(1, [rolloutOf("t0", { feedback: "A." })]);
    const view = searchView({ candidates: [seed, child], lessons: held });
    const first = sampling.next(view, child, 0) as Minibatch;
    const after = afterRejections(view, [{ parent: 1, minibatch: first }]);
    expect(sampling.next(after, child, 1)).toBeNull();
    expect(sampling.next(view, child, 0)).toEqual(first);
  });
});
