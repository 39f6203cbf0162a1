import type { JsonObject, PartialListener } from "../../../../contract/index.ts";
import { canonicalJson, growingText, isObject, saidText } from "../../../../internal/index.ts";
import { ApiError } from "../../../api-error/api-error.ts";
import type { OutputWriter } from "../../../model/structured-output.ts";

/**
 * Streams a program's outputs as one JSON text. If the outputs begin anew, as after a reply that
 * broke off, the text goes on once the new one is longer than what was sent and begins with it.
 * Where it does not, nothing more is sent, since JSON cannot be taken back; nor where the program
 * returns other outputs than those of the call that it streams, which the writer is told.
 */
export function fieldsStream(
  written: OutputWriter,
  send: (text: string) => void,
): {
  readonly handle: PartialListener;
  /** Call with the final outputs; returns the client's error if they contradict what was sent. */
  readonly end: (output: unknown) => ApiError | null;
} {
  let print = written.growing();
  let text = growingText();
  const sent = saidText();
  let source: string | undefined;
  let isAnew = false;
  let last: JsonObject = {};
  const say = (added: string): void => {
    sent.add(added);
    send(added);
  };
  const flush = (whole: string): boolean => {
    if (!sent.begins(whole)) return false;
    if (whole.length > sent.length) say(whole.slice(sent.length));
    return true;
  };
  return {
    handle: (outputs, { path, growing, restarted }) => {
      // The whole of the program comes by `end`.
      if (growing === null) return;
      if (restarted === true || (source !== undefined && source !== path)) {
        print = written.growing();
        text = growingText();
        isAnew = true;
      }
      source = path;
      last = outputs;
      const added = print(outputs, growing);
      if (added === "") return;
      text.add(added);
      if (!isAnew) say(added);
      else if (text.length > sent.length) flush(text.text());
    },
    end: (output) => {
      const whole = written.whole(output);
      if (sent.length > 0) text.add(print(output, null));
      // Keys that look like numbers are sorted in objects, but not in what was printed.
      if (flush(sent.length > 0 && isSame(text.text(), whole) ? text.text() : whole)) return null;
      if (isAnew) return contradicted();
      const changed = Object.keys(last).filter(
        (name) => !continues(last[name], isObject(output) ? output[name] : undefined),
      );
      written.changed(changed);
      return changedLater(changed);
    },
  };
}

function isSame(text: string, whole: string): boolean {
  try {
    return text === whole || comparable(text) === comparable(whole);
  } catch {
    return false;
  }
}

/**
 * Without the order of keys, and without keys of `null`: by that a model leaves out an optional
 * field, which is absent once the reply is read.
 */
function comparable(text: string): string {
  const value: unknown = JSON.parse(text, (_, held: unknown) =>
    isObject(held)
      ? Object.fromEntries(Object.entries(held).filter(([, each]) => each !== null))
      : held,
  );
  return canonicalJson(value);
}

/** Whether a value may be what a part of it has grown to. */
function continues(part: unknown, whole: unknown): boolean {
  // By `null` a model leaves out an optional field.
  if (part === undefined || part === null) return true;
  if (typeof part === "string") return typeof whole === "string" && whole.startsWith(part);
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.every((item, place) => continues(item, whole[place]));
  }
  if (!isObject(part)) return part === whole;
  return isObject(whole) && Object.keys(part).every((key) => continues(part[key], whole[key]));
}

function contradicted(): ApiError {
  return new ApiError(
    500,
    "answer_restarted",
    "The answer began anew after part of it had been sent, and JSON cannot be taken back. Ask again, or without `stream`.",
  );
}

function changedLater(fields: readonly string[]): ApiError {
  const named = fields.map((field) => `\`${field}\``).join(", ");
  return new ApiError(
    500,
    "answer_changed",
    `The program changed ${named || "the answer"} after part of it had been sent, and JSON cannot be taken back. Ask again: this server now sends these fields once they are final.`,
  );
}
