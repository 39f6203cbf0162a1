import { describe, expect, it } from "vitest";
import type { MinibatchSampling, ParentSelection, ProposalSampling } from "espalier/optimizer";
import { sameParent } from "espalier/optimizer";
import { independent, parentsTimesProposals } from "../../conformance/reference/index.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { candidateOf, searchView } from "./support/search-view.ts";

// Place decides the parent: 10, 11, ...; a minibatch says for whom it was drawn, and at which
// place.
const candidates = Array.from({ length: 20 }, (_, id) => candidateOf(id, { v: id }));
const parent: ParentSelection = { name: "by place", select: (_, index) => 10 + index };
const minibatch: MinibatchSampling = {
  name: "by parent",
  next: (_, { id }, index) => ({ kind: "run", exampleIds: [`for ${id} at ${index}`] }),
};

describe("proposals of one iteration", () => {
  it("of sameParent come from one parent, each with examples of its own", () => {
    expect(tasksOf(sameParent({ count: 3 }))).toEqual([
      "10: for 10 at 0",
      "10: for 10 at 1",
      "10: for 10 at 2",
    ]);
    expect(tasksOf(sameParent())).toEqual(["10: for 10 at 0"]);
  });

  it("of independent come from parents drawn one by one", () => {
    expect(tasksOf(independent({ count: 3 }))).toEqual([
      "10: for 10 at 0",
      "11: for 11 at 1",
      "12: for 12 at 2",
    ]);
  });

  it("of parentsTimesProposals come as so many of each of so many parents", () => {
    expect(tasksOf(parentsTimesProposals({ parents: 2, proposals: 2 }))).toEqual([
      "10: for 10 at 0",
      "10: for 10 at 1",
      "11: for 11 at 2",
      "11: for 11 at 3",
    ]);
  });

  it("are at least one", async () => {
    expect((await thrownBy(() => sameParent({ count: 0 }))).code).toBe("option-invalid");
  });
});

function tasksOf(sampling: ProposalSampling): readonly string[] {
  const tasks = sampling.sample(searchView({ candidates }), parent, minibatch);
  return tasks.map(({ parent, minibatch }) => `${parent}: ${minibatch?.exampleIds.join() ?? ""}`);
}
