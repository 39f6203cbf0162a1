import { componentId } from "../../../internal/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { GatedChild } from "../stage/gate.ts";
import type { Child } from "../stage/reflect.ts";
import { rejectedChild } from "../stage/rejected-child.ts";
import { settledLessons } from "../stage/settle-lessons.ts";
import { advance } from "../state/advance.ts";
import type { Decision } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import { triedTexts } from "../state/tried-texts.ts";
import { frontier } from "../strategy/frontier.ts";

/** The state in which the next iteration would begin if these children were all refused. */
export function stateIfRefused(
  children: readonly Child[],
  state: SearchState,
  tools: Tools,
): SearchState {
  const refused = children.flatMap((child): readonly Decision[] => [
    { kind: "child-judged", isAccepted: false },
    ...rejectedChild(child, "not-better", ""),
  ]);
  return nextOf(refused, state, tools);
}

/** The same if this child were accepted, as a little better than its parent. */
export function stateIfAccepted(
  { child, onTrain, gate }: GatedChild,
  state: SearchState,
  tools: Tools,
): SearchState {
  const parent = state.candidates[child.parent.id] as CandidateRecord;
  const { selection } = parent;
  const compared = frontier(tools.settings.frontier);
  for (const one of state.candidates) compared.add(one);
  const accepted: readonly Decision[] = [
    { kind: "child-judged", isAccepted: true },
    {
      kind: "accepted",
      by: "reflection",
      candidate: {
        components: child.components,
        parents: [parent.id],
        changed: child.changed.map(componentId),
        learntFrom: [...child.exampleIds],
        ...(gate && { gate }),
        selection: { ...selection, value: selection.value + little },
        acceptance: { by: "forecast", detail: "" },
        metricCallsBefore: 0,
      },
      ...settledLessons(child, onTrain?.rollouts ?? [], state, tools),
    },
  ];
  return nextOf(accepted, { ...state, frontier: compared }, tools);
}

const little = 0.01;

function nextOf(judged: readonly Decision[], state: SearchState, tools: Tools): SearchState {
  const ended: readonly Decision[] = [
    { kind: "text-tried" },
    { kind: "iteration-ended" },
    { kind: "iteration-begun" },
  ];
  // Tried texts grow in place; what a request says does not depend on them.
  return advance({ ...state, tried: triedTexts() }, [...judged, ...ended], tools);
}
