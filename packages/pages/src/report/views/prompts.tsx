import type { JSX } from "preact";
import type { LmMessage, PredictorTrace, TraceNode } from "../../../../../src/contract/index.ts";
import { addressOf, amendAddress } from "../data/route.ts";
import { useRollout } from "../data/use-rollout.ts";
import type { ViewProps } from "../data/view-props.ts";
import { Choice } from "../parts/choice.tsx";
import { Quoted } from "../parts/quoted.tsx";

/** The texts and pictures of a message, with the calls that it holds as JSON. */
function partsOf({ content, toolCalls }: LmMessage): readonly string[] {
  const calls = toolCalls === undefined ? "" : `\n${JSON.stringify(toolCalls, null, 2)}`;
  if (typeof content === "string") return [toolCalls ? `${content}${calls}`.trim() : content];
  const parts = content.map((part) => (part.type === "text" ? part.text : part.url));
  return calls === "" ? parts : [...parts, calls.trim()];
}

/** The exact messages that a predictor sent for an example, and what came back. */
export function Prompts({ index, route }: ViewProps): JSX.Element {
  const { given } = route;
  const member = { source: given.get("source") ?? "", candidate: Number(given.get("candidate")) };
  const { source, candidate } = member;
  const { examples, rollouts } = index.comparison;
  const traced = rollouts.flatMap((one) =>
    one.source === source && one.candidate === candidate && one.trace !== undefined
      ? [one.example]
      : [],
  );
  const offered = index.canAsk(member) ? index.scoredPlaces(member) : traced;
  const position = index.placeOf(given.get("example") ?? "") ?? traced[0] ?? offered[0];
  const shown = useRollout(index, member, position ?? -1);
  const rollout = shown.state === "here" ? shown.rollout : undefined;
  const steps = traceSteps(rollout?.trace?.children ?? []);
  const step = steps.find(({ path }) => path === given.get("step")) ?? steps[0];
  const idOf = (at: number): string => examples[at]?.id ?? "";
  return (
    <>
      <h1 tabIndex={-1}>
        Prompts of {source}, candidate {candidate}
      </h1>
      <p>
        <a href={addressOf("candidate", { source, candidate: String(candidate) })}>
          Back to the candidate
        </a>
      </p>
      {position !== undefined && (
        <div class="controls">
          <Choice
            label="Example"
            value={idOf(position)}
            options={[...new Set([...offered, position])].map((at) => ({
              value: idOf(at),
              text: idOf(at),
            }))}
            choose={(example) => amendAddress(route, { example, step: "" })}
          />
          {step !== undefined && (
            <Choice
              label="Call"
              value={step.path}
              options={steps.map(({ path }) => ({ value: path, text: path }))}
              choose={(path) => amendAddress(route, { step: path })}
            />
          )}
        </div>
      )}
      {shown.state === "asked" && <p role="status">Replaying from recorded replies …</p>}
      {shown.state === "missing" && <p>{position === undefined ? noneHere : shown.why}</p>}
      {shown.state === "here" && step === undefined && <p>This run called no model.</p>}
      {step?.calls.map(({ messages, rawText, reasoning, failure }, call) => (
        <section key={call}>
          <h2>{call === 0 ? "Request" : "Correction"}</h2>
          {messages.map((message, number) => (
            <div key={number} class="message">
              <h3>{message.role}</h3>
              {partsOf(message).map((text, part) => (
                <Quoted key={part} text={text} />
              ))}
            </div>
          ))}
          <div class="message">
            <h3>Reply</h3>
            {reasoning !== null && <Quoted text={reasoning} />}
            <Quoted text={rawText ?? failure?.message ?? "none"} />
          </div>
        </section>
      ))}
    </>
  );
}

const noneHere =
  "No run of this candidate was replayed for this report, so its prompts are not here.";

/** The predictor calls of a trace, in the order they started. */
function traceSteps(nodes: readonly TraceNode[]): readonly PredictorTrace[] {
  return nodes.flatMap((node) => {
    if (node.kind === "scope") return traceSteps(node.children);
    return node.kind === "predictor" ? [node] : [];
  });
}
