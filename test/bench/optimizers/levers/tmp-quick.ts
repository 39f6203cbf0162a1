import { miproV2 } from "espalier/optimizer";
import { leverShapes } from "./lever-shapes.ts";
import { runLeverSearch } from "./run-lever-search.ts";
const dspy: Record<string, string> = { "all:300": ".447/.471", "all:1000": ".479/.490", "all:3000": ".530/.532", "one:300": ".687/.686", "one:1000": ".718/.706", "one:3000": ".737/.709", "graded:1000": ".530/.531", "noise:1000": ".460/.456", "instr:1000": ".517/.520", "demo:1000": ".314/.327", "param:1000": ".466/.480", "none:1000": ".400/.414", "four:1000": ".407/.384" };
const cells = (process.argv[2] ?? "all:300,all:1000").split(",").flatMap((c) => c === "every" ? Object.keys(dspy) : [c]);
const runs = Number(process.argv[3] ?? 3);
const opts = JSON.parse(process.argv[4] ?? "{}");
for (const cell of cells) {
  const [variant = "", calls = ""] = cell.split(":");
  const shape = leverShapes.find(({ key }) => key === `levers-${variant}`)!;
  const all: any[] = [];
  const jobs: (readonly [number, number])[] = [0,1,2,3,4].flatMap((t) => Array.from({ length: runs }, (_, r) => [t, r] as const));
  const work = async () => { for (let j = jobs.shift(); j; j = jobs.shift()) all.push(await runLeverSearch(shape.environment(j[0], "three"), { studentCalls: Number(calls), run: j[1], optimizer: miproV2(opts) })); };
  await Promise.all([work(), work()]);
  const m = (f: (x: any) => number) => all.reduce((s, x) => s + f(x), 0) / all.length;
  const sd = Math.sqrt(m((x) => (x.test - m((y) => y.test)) ** 2) / all.length);
  console.log(cell.padEnd(12), "val", m((x) => x.val).toFixed(3), "test", m((x) => x.test).toFixed(3), "se", sd.toFixed(3), "| dspy", dspy[cell], "| calls", m((x) => x.metricCalls).toFixed(0), "texts", m((x) => x.texts).toFixed(0), Object.entries(Object.groupBy(all, (x) => x.ended)).map(([k, v]) => k + v!.length).join());
}
