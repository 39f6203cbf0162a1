import type { LmToolCall } from "../../contract/index.ts";
import { foreignJson } from "../../internal/index.ts";
import type { WireToolCall } from "./chat-envelope.ts";

/** The calls of a whole reply: each entry is one, whatever its index. */
export function wholeCalls(entries: readonly WireToolCall[]): readonly LmToolCall[] {
  return withIds(entries.map(callOf));
}

/**
 * The calls of a streamed reply. Servers differ: some give each piece the index of its call, some
 * give every call the index 0, some give none; some repeat the id, some send another with each
 * piece. Only the first piece of a call names its function.
 */
export function joinedCalls(pieces: readonly WireToolCall[]): readonly LmToolCall[] {
  const calls: Call[] = [];
  const byIndex = new Map<number, Call>();
  for (const piece of pieces) {
    const given = callOf(piece);
    const { index } = piece;
    const at = typeof index === "number" ? byIndex.get(index) : undefined;
    const known = at ?? (given.id === "" ? undefined : calls.find(({ id }) => id === given.id));
    const open = known ?? (typeof index === "number" ? undefined : calls.at(-1));
    const isSame = open !== undefined && (given.name === "" || !isAnother(given, open, index));
    const call = isSame ? open : { id: "", name: "", arguments: "" };
    if (!isSame) calls.push(call);
    if (typeof index === "number") byIndex.set(index, call);
    call.id ||= given.id;
    call.name ||= given.name;
    call.arguments += given.arguments;
  }
  return withIds(calls);
}

/** Whether a piece with a name begins another call than the one it would be added to. */
function isAnother(given: Call, open: Call, index: WireToolCall["index"]): boolean {
  if (open.name === "") return false;
  return given.id === "" || open.id === "" ? typeof index !== "number" : given.id !== open.id;
}

interface Call {
  id: string;
  name: string;
  arguments: string;
}

function callOf({ id, function: given }: WireToolCall): Call {
  const said = given?.arguments ?? "";
  return {
    id: id ?? "",
    name: given?.name ?? "",
    arguments: typeof said === "string" ? said : foreignJson(said),
  };
}

/** A call that has no id gets one by place, which replays alike. */
function withIds(calls: readonly Call[]): readonly LmToolCall[] {
  return calls.map((call, place) => ({ ...call, id: call.id || `call-${place + 1}` }));
}
