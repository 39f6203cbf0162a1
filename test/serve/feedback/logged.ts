import { DatabaseSync } from "node:sqlite";
import type { ChatServer, FeedbackOptions } from "espalier/serve";
import { expect } from "vitest";
import { asked } from "../served.ts";
import { atWork, patient } from "./at-work.ts";

/** A server whose log is at hand. */
export async function logged(options: Partial<FeedbackOptions> = {}) {
  const lines: string[] = [];
  const work = await atWork({ log: (line) => lines.push(line) }, options);
  const events = (): readonly string[] =>
    lines
      .map((line) => (JSON.parse(line) as { event: string }).event)
      .filter((event) => event.startsWith("feedback"));
  return {
    ...work,
    events,
    /** Waits until so many answers are in the file and the writer waits for none of them. */
    kept: async (count: number): Promise<void> => {
      await work.kept(count);
      // The queue lets an answer go a moment after it is in the file.
      const waiting = (): Promise<number> => metric(work.server, "espalier_feedback_waiting");
      await expect.poll(waiting, patient).toBe(0);
    },
    ask: async (times = 1): Promise<string> => {
      let id = "";
      for (let time = 0; time < times; time += 1) {
        ({ id } = await work.client.chat.completions.create(asked()));
      }
      return id;
    },
    /** Holds the file as a backup does, until the returned function is called. */
    lock: (): (() => void) => {
      const database = new DatabaseSync(work.path, { timeout: 60_000 });
      database.exec("BEGIN EXCLUSIVE");
      return () => database.close();
    },
  };
}

export async function metric({ url }: ChatServer, name: string): Promise<number> {
  const response = await fetch(`${url}/metrics`);
  expect(response.status).toBe(200);
  const line = (await response.text()).split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

/** Status and checks of `/ready`. */
export const ready = async ({ url }: ChatServer): Promise<unknown> => {
  const response = await fetch(`${url}/ready`);
  return {
    status: response.status,
    checks: ((await response.json()) as { checks: unknown }).checks,
  };
};
