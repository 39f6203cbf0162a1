import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { randomSource } from "../../../src/internal/index.ts";
import { withChecksum } from "../../../src/storage/index.ts";

/** Writes the journal of a run whose texts and scores are made up; no LM was asked. */
export async function writeMadeRun(
  folder: string,
  { candidates, examples }: { readonly candidates: number; readonly examples: number },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const draws = randomSource(0, "report-bench", 0);
  const file = createWriteStream(join(folder, "journal.jsonl"));
  let sequence = 0;
  const write = async (event: object): Promise<void> => {
    const line = `${withChecksum({ ...event, sequence: sequence++ })}\n`;
    if (!file.write(line)) await once(file, "drain");
  };
  await write({
    kind: "run-start",
    format: "espalier-journal/5",
    run: { optimizer: { name: "made-up", version: "1", settings: {} }, seed: 0 },
  });
  let best = { id: 0, value: -1 };
  for (let id = 0; id < candidates; id++) {
    const scores = Object.fromEntries(
      Array.from({ length: examples }, (_, index) => [`e${index}`, draws.below(5) / 4]),
    );
    const values = Object.values(scores);
    const value = values.reduce((sum, one) => sum + one, 0) / values.length;
    if (value > best.value) best = { id, value };
    const metricCalls = (id + 1) * examples;
    const parents = id === 0 ? [] : [draws.below(id)];
    const selection = { value, coverage: 1, scores };
    if (id > 0) await write({ kind: "iteration-start", iteration: id });
    await write({
      kind: "candidate-evaluated",
      iteration: id,
      candidate: id === 0 ? 0 : "proposed",
      split: "val",
      value,
      scores,
      coverage: 1,
      reused: 0,
    });
    const spent = { metricCalls, reflectionCalls: id, lmCalls: metricCalls, tokens: metricCalls };
    await write({ kind: "budget-spent", iteration: id, ...spent });
    await write({
      kind: "candidate-accepted",
      iteration: id,
      candidate: id,
      parents,
      value,
      record: {
        id,
        parents,
        iteration: id,
        components: [{ kind: "instruction", path: "answer", value: `Instruction ${id}.` }],
        changed: id === 0 ? [] : ["instruction:answer"],
        selection,
        acceptance: { by: "made-up", detail: "Made up." },
        learntFrom: [],
        metricCallsBefore: metricCalls - examples,
      },
    });
    if (id > 0) await write({ kind: "iteration-end", iteration: id, accepted: [id] });
  }
  await write({
    kind: "run-end",
    reason: "budget",
    detail: "made up",
    best: best.id,
    value: best.value,
    used: {},
  });
  file.end();
  await once(file, "finish");
}
