import { expect, test } from "vitest";
import { fairSlots } from "../../../src/serve/answer/admission.ts";

/** Tasks that end when told, with the order in which they began. */
function tasks(slots: ReturnType<typeof fairSlots>) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const { signal: never } = new AbortController();
  return {
    begun,
    ask: (key: string, name: string, signal = never): Promise<string> =>
      slots.run(
        () => {
          begun.push(name);
          const { promise, resolve } = Promise.withResolvers<string>();
          ends.set(name, () => resolve(name));
          return promise;
        },
        { key, signal },
      ),
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      // What it makes room for begins in microtasks.
      await new Promise((done) => setImmediate(done));
    },
  };
}

test("keys take turns, however many tasks one of them has", async () => {
  const slots = fairSlots(1);
  const { ask, end, begun } = tasks(slots);
  const all = [0, 1, 2, 3, 4].map((number) => ask("a", `a${number}`));
  all.push(ask("b", "b0"), ask("b", "b1"), ask("c", "c0"));
  expect(slots.waiting).toBe(7);
  for (let index = 0; index < 8; index += 1) await end(begun[index] ?? "");
  expect(begun).toEqual(["a0", "a1", "b0", "c0", "a2", "b1", "a3", "a4"]);
  await Promise.all(all);
  expect([slots.running, slots.waiting]).toEqual([0, 0]);
  await slots.idle();
});

test("who leaves, or is dismissed, is not begun, and the others go on", async () => {
  const slots = fairSlots(1);
  const { ask, end, begun } = tasks(slots);
  const leaving = new AbortController();
  const first = ask("a", "a0");
  const left = ask("a", "a1", leaving.signal);
  const dismissed = ask("b", "b0");
  const last = ask("c", "c0");
  leaving.abort(new Error("gone"));
  slots.dismiss("b", new Error("revoked"));
  slots.dismiss("a", new Error("only what waits"));
  await expect(left).rejects.toThrow("gone");
  await expect(dismissed).rejects.toThrow("revoked");
  expect(slots.waiting).toBe(1);
  await end("a0");
  await end("c0");
  expect(await Promise.all([first, last])).toEqual(["a0", "c0"]);
  expect(begun).toEqual(["a0", "c0"]);
});
