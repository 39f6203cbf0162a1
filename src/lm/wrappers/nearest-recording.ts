import type { LmMessage } from "../../contract/index.ts";
import { textOfMessage } from "../../contract/index.ts";
import { canonicalJson } from "../../internal/index.ts";
import type { RecordedCall } from "./recording.ts";

type Wanted = Pick<RecordedCall, "identity" | "request" | "repetition">;

/** Describes the recorded call nearest to a missing one and how it differs. */
export function nearestRecording(calls: readonly RecordedCall[], wanted: Wanted): string {
  const { messages } = wanted.request;
  const alike = calls.find((call) => isEqual(call.request.messages, messages));
  if (alike !== undefined) {
    const names = differences(alike, wanted).map((name) => `\`${name}\``);
    return `a call with the same messages that differs in ${names.join(", ")}`;
  }
  const best = calls
    .map((call) => ({ call, shared: sharedLength(call.request.messages, messages) }))
    .toSorted((left, right) => right.shared - left.shared)[0];
  if (best === undefined) return "an empty recording";
  return `nearest is a call whose ${firstDifference(best.call.request.messages, messages)}`;
}

function differences(recorded: Wanted, wanted: Wanted): readonly string[] {
  const flat = ({ identity, request: { sampling, ...request }, repetition }: Wanted) =>
    ({ ...identity, ...request, ...sampling, repetition }) as Readonly<Record<string, unknown>>;
  const [left, right] = [flat(recorded), flat(wanted)];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
    (name) => !isEqual(left[name], right[name]),
  );
}

/** Number of leading characters that two conversations share. */
function sharedLength(left: readonly LmMessage[], right: readonly LmMessage[]): number {
  let shared = 0;
  for (const [index, message] of left.entries()) {
    const content = textOfMessage(message);
    const other = textOfMessage(right[index] ?? { role: "user", content: "" });
    const end = firstDifferent(content, other);
    shared += end;
    if (end < content.length || content.length < other.length) break;
  }
  return shared;
}

function firstDifference(left: readonly LmMessage[], right: readonly LmMessage[]): string {
  const index = left.findIndex((message, place) => !isEqual(message, right[place]));
  const [recorded, wanted] = [left[index], right[index]];
  if (recorded === undefined || wanted === undefined) {
    return `conversation has ${left.length} messages instead of ${right.length}`;
  }
  if (recorded.role !== wanted.role) return `message ${index + 1} has role \`${recorded.role}\``;
  const [was, now] = [textOfMessage(recorded), textOfMessage(wanted)];
  const from = Math.max(0, firstDifferent(was, now) - 20);
  const excerpt = (text: string): string => `\`${text.slice(from, from + 60)}\``;
  return (
    `${recorded.role} message (number ${index + 1}) says ${excerpt(was)} ` +
    `where this one says ${excerpt(now)}`
  );
}

function firstDifferent(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  for (let at = 0; at < end; at++) if (left[at] !== right[at]) return at;
  return end;
}

function isEqual(left: unknown, right: unknown): boolean {
  return canonicalJson(left ?? null) === canonicalJson(right ?? null);
}
