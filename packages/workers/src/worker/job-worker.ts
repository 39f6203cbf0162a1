import type { Job } from "bullmq";
import type { Redis } from "ioredis";
import type { Example, LanguageModel, Metric, Runnable } from "../../../../src/contract/index.ts";
import { EspalierError, messageOf } from "../../../../src/errors/index.ts";
import type { Semaphore } from "../../../../src/internal/index.ts";
import { at, contentHash, semaphore, systemClock } from "../../../../src/internal/index.ts";
import { atTemperature } from "../../../../src/lm/files.ts";
import type { Allowance } from "../../../../src/runner/index.ts";
import { runExample } from "../../../../src/runner/index.ts";
import type { AskedLm, QueuedCall, QueuedResult, QueuedRun } from "../job/queued-run.ts";
import type { Checkout } from "../job/checkout.ts";
import { jobId, queuedOutcome, stoppedBy } from "../job/queued-run.ts";
import { queuedRunShape } from "../job/queued-shapes.ts";
import type { RedisAddress } from "../redis/redis-address.ts";
import { redisFault } from "../redis/redis-fault.ts";
import type { RunKeys } from "../redis/run-keys.ts";
import { sharedLm } from "./shared-lm.ts";

/** What a worker runs, of its own checkout. */
export interface WorkerStudy {
  readonly program: Runnable & {
    readonly predictors: Readonly<Record<string, unknown>>;
    with(candidate: QueuedRun["candidate"]): Runnable;
  };
  readonly metric: Metric;
  readonly examples: readonly Example[];
  readonly lm: LanguageModel;
  readonly lms: Readonly<Record<string, LanguageModel>>;
  /** @default `lm` */
  readonly judgeLm?: LanguageModel | undefined;
  /** @default `lm` */
  readonly teacherLm?: LanguageModel | undefined;
}

/** Holds a run under its allowance. */
export interface Limits {
  wrap(lm: LanguageModel): LanguageModel;
  /** The cap that a call did not fit under. */
  lacking(): keyof Allowance | undefined;
}

export interface JobWorkerOptions {
  readonly redis: Redis;
  readonly address: RedisAddress;
  readonly keys: RunKeys;
  readonly checkout: Checkout;
  readonly study: WorkerStudy;
  readonly limits: (
    given: Required<Pick<QueuedRun, "allowance">> & Pick<QueuedRun, "prices">,
  ) => Limits;
}

/** Workers that one job may kill before it counts as the program's fault. */
const maxKills = 3;

/** Does the jobs of one run. */
export function jobWorker(
  ofRun: string,
  options: JobWorkerOptions,
): (job: Pick<Job<QueuedRun>, "id" | "data">, signal: AbortSignal) => Promise<QueuedResult> {
  const { redis, address, keys, study } = options;
  const checkout = contentHash(options.checkout);
  const examples = new Map(study.examples.map((example) => [contentHash(example), example]));
  const programs = new Map<string, Runnable>();
  // Those that were in flight when a worker died run one at a time here: if another dies, it is one
  // of them that killed it, and not all that happened to be beside it.
  const suspects = semaphore(1);

  const programOf = ({ program, candidate }: QueuedRun): Runnable => {
    const isKnown = programs.has(program);
    if (!isKnown && contentHash(candidate) !== program) throw foreignJob("its candidate");
    const known = programs.get(program) ?? study.program.with(candidate);
    programs.delete(program);
    programs.set(program, known);
    const [oldest] = programs.keys();
    if (programs.size > maxPrograms && oldest !== undefined) programs.delete(oldest);
    return known;
  };

  return async (job, signal) => {
    const { id = "", data } = job;
    try {
      const problem = queuedRunShape(data);
      if (problem !== null) throw foreignJob(at("job", problem));
      if (jobId(ofRun, checkout, data) !== id) throw foreignJob("its data");
      return await begun(redis, { keys, id, suspects, signal }, async (kills) => {
        const example = examples.get(data.example);
        if (kills >= maxKills) throw killedWorkers(data.exampleId);
        if (example === undefined) throw unknownExample(data.exampleId);
        return run(data, example, { ...options, signal, program: programOf(data) });
      });
    } catch (error) {
      // What Redis holds is wrong, and would be each time that the job is begun.
      const isWrong = /^(?:WRONGTYPE|ERR) /.test(messageOf(error));
      if (!isWrong && !EspalierError.isInstance(error)) throw error;
      return { outcome: queuedOutcome(stoppedBy(redisFault(error, address))), calls: [] };
    }
  };
}

const maxPrograms = 64;

/** Counts the beginnings of a job that had no end: each is a worker that died during it. */
async function begun(
  redis: Redis,
  {
    keys,
    id,
    suspects,
    signal,
  }: { keys: RunKeys; id: string; suspects: Semaphore; signal: AbortSignal },
  work: (kills: number) => Promise<QueuedResult>,
): Promise<QueuedResult> {
  const counted = async (times: number): Promise<QueuedResult> => {
    try {
      return await work(times - 1);
    } finally {
      // Needs no answer: the job's end goes the same way, after it.
      redis.hdel(keys.begun, id).catch(() => {});
    }
  };
  const times = await redis.hincrby(keys.begun, id, 1);
  if (times === 1) return counted(times);
  // One that waits has not begun.
  await redis.hincrby(keys.begun, id, -1);
  return suspects.run(async () => counted(await redis.hincrby(keys.begun, id, 1)), signal);
}

async function run(
  data: QueuedRun,
  example: Example,
  {
    redis,
    address,
    keys,
    study,
    limits,
    signal,
    program,
  }: JobWorkerOptions & {
    readonly signal: AbortSignal;
    readonly program: Runnable;
  },
): Promise<QueuedResult> {
  const { metric, lm, lms, judgeLm = lm, teacherLm = lm } = study;
  const { allowance, prices, temperature, role } = data;
  const calls: QueuedCall[] = [];
  const limit = allowance && limits({ allowance, ...(prices && { prices }) });
  const shared = (each: LanguageModel, asked: AskedLm): LanguageModel => {
    const own = sharedLm(each, {
      redis,
      address,
      keys,
      asked,
      onCall: (call) => void calls.push(call),
    });
    return limit === undefined ? own : limit.wrap(own);
  };
  const isPredictor = (name: string): boolean => Object.hasOwn(study.program.predictors, name);
  const isTeacher = role === "teacher";
  const named = Object.fromEntries(
    Object.entries(lms).filter(([name]) => !isTeacher || !isPredictor(name)),
  );
  const outcome = await runExample({
    program,
    metric,
    example,
    options: {
      lm: atTemperature(shared(isTeacher ? teacherLm : lm, { kind: "main" }), temperature),
      lms: Object.fromEntries(
        Object.entries(named).map(([name, each]) => {
          const own = shared(each, { kind: "named", name });
          return [name, isPredictor(name) ? atTemperature(own, temperature) : own];
        }),
      ),
      wrapTool: (tool) => shared(tool, { kind: "tool", identity: tool.identity }),
      allowsSideEffects: false,
      seed: data.seed,
      exampleId: data.exampleId,
      ...(example.cluster !== undefined && { cluster: example.cluster }),
      ...(data.gold && { gold: data.gold }),
      repetition: data.repetition,
      role,
      signal,
    },
    judgeLm: shared(judgeLm, { kind: "judge" }),
    attempts: data.attempts,
    answered: data.answered,
    clock: systemClock,
  });
  const isOver = outcome.state === "stopped" && outcome.failure.kind === "budget";
  const lacking = isOver ? limit?.lacking() : undefined;
  return { outcome: queuedOutcome(outcome), calls, ...(lacking !== undefined && { lacking }) };
}

function foreignJob(got: string): EspalierError {
  return new EspalierError({
    code: "queue-failed",
    problem: "A job on Redis is not what the run queued",
    expected: "data that matches its id",
    got,
    fix: "Find out what else writes to this Redis; the run can be resumed.",
  });
}

function killedWorkers(exampleId: string): EspalierError {
  return new EspalierError({
    code: "program-failed",
    problem: `Running the program on an example killed ${maxKills} workers`,
    where: `example \`${exampleId}\``,
    fix: "Resume the run if something else killed them. If not, run the example without Redis to see what kills the process.",
  });
}

function unknownExample(exampleId: string): EspalierError {
  return new EspalierError({
    code: "dataset-invalid",
    problem: "The worker's study lacks an example of the run",
    where: `example \`${exampleId}\``,
    fix: "Start the worker with the same --trainset as the run, and on the same data.",
  });
}
