import { expect, it } from "vitest";
import { optimizeTexts } from "espalier/optimizer";
import { componentId } from "../../../../src/internal/index.ts";
import { withChanges } from "../../../support/with-changes.ts";
import { judgeChildren } from "../../../../src/optimizer/gepa/stage/judge.ts";
import { textComponents } from "../../../../src/optimizer/task/search-space.ts";
import { searchOnly } from "../../support/search-only.ts";
import { keywordTask } from "../support/keyword-task.ts";
import { rolloutOf } from "../support/rollouts.ts";
import { candidateOf } from "../support/search-view.ts";

it("leaves the text and the lesson open of a child that the budget had no room to run", async () => {
  const text = "Begin. w0";
  const found: unknown[] = [];
  const optimizer = searchOnly(async (search) => {
    const { space, run, evidence } = search;
    await run.evaluate([{ candidate: space.components, split: "val", exampleIds: space.val }]);
    const parent = candidateOf(0, Object.fromEntries(space.val.map((id) => [id, 0])), {
      components: space.components,
    });
    const changed = textComponents(space, ["instruction:first"]);
    const components = space.components.map((held) =>
      componentId(held) === "instruction:first" ? withChanges(held, { value: text }) : held,
    ) as typeof space.components;
    const lesson = rolloutOf("t0", { ran: ["first"], feedback: "ADD w0" });
    const child = { parent, components, changed, exampleIds: ["t0"], rollouts: [lesson] };
    search.accept(parent);
    const gated = { child: { ...child, isOwn: false, caveats: [] }, gain: 0 };
    // Three times, after which a text that was tried without success would be closed.
    for (let time = 0; time < 3; time++) {
      await judgeChildren([gated], search);
    }
    const [first] = changed;
    if (first === undefined) return;
    const { rejections, tried } = search;
    found.push(...rejections, tried.has(first, text), evidence.lessons.failedOn(first)(lesson));
  });
  await optimizeTexts(keywordTask({ val: 10 }).task, { optimizer, budget: { metricCalls: 10 } });
  const refused = { reason: "not-selected", detail: "Its evaluation does not fit the budget." };
  expect(found).toMatchObject([refused, refused, refused, false, false]);
});
