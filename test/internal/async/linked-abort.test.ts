import { expect, test } from "vitest";
import { linkedAbort } from "../../../src/internal/index.ts";

test("a linked abort fires with the reason of whichever signal fires first", () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const joined = linkedAbort([first.signal, undefined, second.signal]);
  expect(joined.signal.aborted).toBe(false);
  second.abort("second");
  first.abort("first");
  expect(joined.signal.reason).toBe("second");
});

test("a linked abort of a signal that has fired has fired, too", () => {
  expect(linkedAbort([AbortSignal.abort("gone")]).signal.reason).toBe("gone");
});

test("its own abort leaves the others as they are", () => {
  const other = new AbortController();
  const joined = linkedAbort([other.signal]);
  joined.abort("own");
  expect(joined.signal.reason).toBe("own");
  expect(other.signal.aborted).toBe(false);
});

test("once released, a linked abort hears of the others no more", () => {
  const other = new AbortController();
  const joined = linkedAbort([other.signal]);
  joined.release();
  other.abort();
  expect(joined.signal.aborted).toBe(false);
});
