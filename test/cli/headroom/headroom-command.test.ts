import { describe, expect, it } from "vitest";
import shipped from "../../../optimizers/question-types.ts";
import { runMain } from "../../support/run-main.ts";
import type { VllmServer } from "../../support/vllm-server.ts";
import { chat, chatPath, refuse, vllmServer } from "../../support/vllm-server.ts";

const types = "optimizers/question-types.ts";
const towns = "test/cli/fixtures/towns.ts";
const { train, val } = (await shipped()).trainset.splits;

interface Report {
  readonly rows: number;
  readonly leftOut: number;
  readonly declared: number;
  readonly runs: number;
  readonly verdict: string;
  readonly [figure: string]: unknown;
}

/** A server that knows the type of a question if it is shown others; otherwise it says "person". */
async function typesServer(
  over: (question: string, isShown: boolean) => string | undefined = () => undefined,
): Promise<VllmServer> {
  const server = await vllmServer();
  server.always(chatPath, (request, response) => {
    const text = JSON.stringify(request.body.messages);
    const asked = val.find(({ input }) =>
      text.includes(JSON.stringify(input.question).slice(1, -1)),
    );
    const isShown = train.some(({ input }) => text.includes(input.question));
    const question = asked?.input.question ?? "";
    const content = over(question, isShown) ?? type(isShown ? asked?.labels.type : "person");
    const answer =
      content === "fails" ? refuse(500, "no", "InternalServerError") : chat({ content });
    return answer(request, response);
  });
  return server;
}

const type = (value: string | undefined) => JSON.stringify({ type: value });
const calls = ({ requests }: VllmServer) => requests.filter(({ path }) => path === chatPath).length;

async function headroom(server: VllmServer, ...more: string[]) {
  const lm = ["--lm", server.baseUrl, "--cache", "none", "--patience", "0"];
  const result = await runMain(["headroom", types, ...lm, "--json", ...more]);
  const line = result.stdout.trimEnd().split("\n").at(-1) ?? "";
  return { ...result, report: (result.code === 0 ? JSON.parse(line) : {}) as Report };
}

describe("espalier headroom", () => {
  it("finds what labels bring, within its calls, all candidates on the same rows", async () => {
    await using server = await typesServer();
    const { code, stdout, report } = await headroom(server);
    expect(code).toBe(0);
    expect(calls(server)).toBe(120);
    expect(report).toMatchObject({
      rows: 26,
      runs: 120,
      leftOut: 0,
      verdict: "worth it with demonstrations alone",
      candidates: [
        { name: "4 labels", mean: 1 },
        { name: "16 labels", mean: 1 },
        { name: "nearest 8 of 60 labels", mean: 1 },
      ],
      best: "4 labels",
      noise: { rows: 16, difference: 0, changed: 0 },
      shares: { rightWithNone: 0, withoutOutputs: {} },
      testRows: 150,
    });
    expect(stdout).toContain("question-types: 26 of 60 rows of val, 120 runs\n");
    expect(stdout).toContain(
      "\nverdict: worth it with demonstrations alone: the best set of labels",
    );
    expect(stdout).toMatch(/\nas declared +0\.\d{4}\nwith 4 labels +1\.0000 +\+0\.\d{4} +\[/);
    expect(stdout).toContain("\nstudent: 120 calls (120 sent to the server)");
  });

  it("never takes a server's fault for a score, nor runs a row again after it", async () => {
    const [first] = val;
    await using server = await typesServer((question) =>
      question === first?.input.question ? "fails" : undefined,
    );
    const { code, stdout, report } = await headroom(server, "--calls", "600");
    expect(code).toBe(0);
    expect(report).toMatchObject({ rows: 59, leftOut: 1, runs: 300 });
    expect(report.declared).toBeCloseTo(
      val.slice(1).filter(({ labels }) => labels.type === "person").length / 59,
      12,
    );
    expect(stdout).toContain("left out: 1 rows without a score in some run");
  });

  it("shows noise, and failures without outputs", async () => {
    const times = new Map<string, number>();
    const failing = new Set(val.slice(0, 30).map(({ input }) => input.question));
    await using server = await typesServer((question, isShown) => {
      if (isShown) return type("person");
      if (failing.has(question)) return "none";
      times.set(question, (times.get(question) ?? 0) + 1);
      return type(times.get(question) === 1 ? "place" : "person");
    });
    const { report, stdout } = await headroom(server, "--calls", "600");
    const people = val.slice(30).filter(({ labels: { type: of } }) => of === "person").length;
    const places = val.slice(30).filter(({ labels: { type: of } }) => of === "place").length;
    expect(report).toMatchObject({
      rows: 60,
      noise: {
        rows: 60,
        difference: expect.closeTo((people - places) / 60, 12),
        changed: (people + places) / 60,
      },
      shares: { withoutOutputs: { "output-unparseable": 0.5 } },
    });
    expect(stdout).toContain("\nrows without an output: 50 % output-unparseable\n");
  });

  it("cannot tell from demonstrations where labels are no outputs of a predictor", async () => {
    const { code, stdout } = await runMain(["headroom", towns, "--calls", "60"]);
    expect(code).toBe(0);
    expect(stdout).toContain("towns: 40 of 40 rows of val, 60 runs\n");
    expect(stdout).toContain("verdict: cannot tell from demonstrations: no label in train");
    expect(stdout).toMatch(/\nnoise: two runs of the program on 20 rows differ by \+0\.0000/);
    expect(stdout).toContain("rehearsal: figures from the rehearsal LM");
  });

  it("draws the same rows from the same seed", async () => {
    const stdout = async (seed: string) =>
      (await runMain(["headroom", types, "--calls", "60", "--rehearsal", "--seed", seed])).stdout;
    expect(await stdout("1")).toBe(await stdout("1"));
    expect(await stdout("2")).not.toBe(await stdout("1"));
  });

  it.each(["59", "601", "many", "100.5"])("refuses --calls %s before it asks", async (given) => {
    const { code, stderr } = await runMain(["headroom", types, "--calls", given]);
    expect(code).toBe(2);
    expect(stderr).toContain("Expected: a whole number from 60 to 600");
  });

  it("has nothing to tell where no row was scored", async () => {
    await using server = await typesServer(() => "fails");
    const { code, stderr } = await headroom(server, "--calls", "60");
    expect(code).toBe(3);
    expect(stderr).toContain("No row was scored in all of its runs");
  });
});
