import type { LanguageModel, LmRole } from "../contract/index.ts";
import { oncePer, systemClock } from "../internal/index.ts";
import type { Runner } from "../runner/index.ts";
import type { Mock } from "../mock/index.ts";
import { askedRoles, planDescribed } from "./plan/plan-optimization.ts";
import { guardedListener } from "./engine/listener.ts";
import type { JudgedRun } from "./evaluation/index.ts";
import type { OptimizationResult } from "./engine/optimization-result.ts";
import type { Optimizer } from "./contract/optimizer.ts";
import { autoSearch } from "./auto-search/auto-search.ts";
import type { OptimizerTask } from "./task/program-space.ts";
import { checkTools } from "./plan/check-task.ts";
import { programSpace } from "./task/program-space.ts";
import { runOptimizer } from "./engine/run-optimizer.ts";
import type { RunnerOptions } from "./engine/run-description.ts";
import { describeRun, describedRun } from "./engine/run-description.ts";

export interface OptimizeOptions extends Omit<RunnerOptions, "optimizer"> {
  /** @default autoSearch() */
  readonly optimizer?: Optimizer;
  readonly lm: LanguageModel;
  /** LMs for individual predictors and rerankers, by name. */
  readonly lms?: Readonly<Record<string, LanguageModel>>;
  /** Parts that mocks play, for the run's description. @default none */
  readonly mocks?: readonly Mock[];
  /** @default the optimizer's own, or `lm` */
  readonly reflectionLm?: LanguageModel;
  /** Runs the program where the optimizer asks for a teacher. @default its own, or `lm` */
  readonly teacherLm?: LanguageModel;
  /** Passed to the objective as `lm`, in role "judge". @default `lm` */
  readonly judgeLm?: LanguageModel;
  /**
   * Whether agents' tools with side effects may run in the search. If not, their mocks
   * answer, and a program with one that has none is refused. @default false
   */
  readonly allowsSideEffects?: boolean;
  /**
   * Adds `latencyMs` to candidates' costs. It depends on the server, its load and its cache, so two
   * runs with the same seed no longer have identical candidates. @default false
   */
  readonly measuresLatency?: boolean;
  /** Where rollouts run; changes no result. @default this process */
  readonly runner?: Runner;
  /**
   * Receives each run of the program with its trace, as it is judged; not those that a resumed run
   * takes from its folder. Its throws and rejections are ignored.
   */
  readonly onRun?: (run: JudgedRun) => void;
}

/**
 * Searches for better components of a program. The same seed gives the same result at any
 * concurrency, and after any number of kills and resumptions; only caps on money and wall time
 * depend on more, and one on tool calls after a kill that interrupted some.
 *
 * Rejects, before anything is spent, with `option-invalid`, `dataset-invalid`, `input-invalid`, and
 * with `budget-exhausted` when the budget is smaller than one evaluation. Rejects with
 * `journal-mismatch` when `runFolder` holds another run, with `run-locked` while another process
 * works on it, with `coverage-too-low` when faults prevent the seed's evaluation, with `aborted`
 * when the signal fires, and with the error of a failing program or metric; the run can be resumed
 * after each of these. Rejects with `search-hopeless` when nothing can be found, early where it can
 * be told; resuming says so again, at no cost.
 *
 * @example const { program, best } = await optimize(study, { budget: { metricCalls: 500 }, lm });
 */
export async function optimize<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  given: OptimizeOptions,
): Promise<OptimizationResult<TInput, TOutput>> {
  const { optimizer = autoSearch() } = given;
  const options = { ...given, optimizer };
  const { clock = systemClock, concurrency = 16 } = options;
  const { lm, lms = {}, reflectionLm = optimizer.reflectionLm ?? lm } = options;
  const { judgeLm, teacherLm = optimizer.teacherLm } = options;
  const { measuresLatency = false, mocks = [], allowsSideEffects = false } = options;
  checkTools(task.program, allowsSideEffects);
  const onRun = options.onRun && guardedListener(options.onRun).notify;
  const roles = rolesOf(options);
  const described = describedRun(options);
  // Loaded here, so that importing the optimizer loads nothing that runs programs.
  const { programEvaluator } = await import("./evaluation/program-evaluator.ts");
  const space = programSpace(task);
  const found = await runOptimizer(
    {
      space,
      plan: planDescribed(task, described, roles),
      settings: described,
      run: describeRun(task, space, described, {
        lm,
        lms,
        reflectionLm,
        judgeLm,
        teacherLm,
        mocks,
        measuresLatency,
        allowsSideEffects,
      }),
      roles,
      reflectionLm,
      evaluatorOf: ({ gate, spending, journalled }) => {
        const student = journalled(lm);
        return programEvaluator(task, {
          gate,
          lm: student,
          wrapTool: oncePer(journalled),
          allowsSideEffects,
          judgeLm: judgeLm === undefined ? student : journalled(judgeLm),
          ...(teacherLm && { teacherLm: journalled(teacherLm) }),
          lms: Object.fromEntries(
            Object.entries(lms).map(([name, other]) => [name, journalled(other)]),
          ),
          seed: described.seed,
          concurrency,
          clock,
          measuresLatency,
          ...(onRun && { onRun }),
          ...(options.runner && { runner: options.runner, spending }),
        });
      },
    },
    options,
  );
  return Object.freeze({ ...found, program: task.program.with(found.components) });
}

/** Judges without their own LM use the student's, at its price. */
function rolesOf({
  optimizer,
  judgeLm,
  teacherLm = optimizer.teacherLm,
}: Pick<RunnerOptions, "optimizer"> &
  Pick<OptimizeOptions, "judgeLm" | "teacherLm">): readonly LmRole[] {
  const judge = judgeLm === undefined ? [] : (["judge"] as const);
  const teacher = teacherLm === undefined ? [] : (["teacher"] as const);
  return askedRoles(optimizer, ["student", "reflection", ...judge, ...teacher]);
}
