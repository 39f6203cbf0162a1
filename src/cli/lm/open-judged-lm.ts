import type { LanguageModel } from "../../contract/index.ts";
import { ledger } from "../../ledger/index.ts";
import { standInsAmong } from "../../stand-in/index.ts";
import type { LmChoice, OpenedLm } from "./open-lm.ts";
import { openLm } from "./open-lm.ts";

export interface JudgeChoice {
  readonly "judge-lm"?: string | undefined;
  readonly "judge-model"?: string | undefined;
}

export interface OpenedLms extends OpenedLm {
  /** Absent if metrics use `lm`. */
  readonly judgeLm?: LanguageModel;
}

/** Whether the command line names a separate judge LM. */
export function namesJudge({ "judge-lm": lm, "judge-model": model }: JudgeChoice): boolean {
  return lm !== undefined || model !== undefined;
}

/** Opens the command line's LM and, if one is named, the judge LM. */
export async function openJudgedLm(choice: LmChoice & JudgeChoice): Promise<OpenedLms> {
  const opened = await openLm(choice);
  if (!namesJudge(choice)) return opened;
  const { "judge-lm": lm = choice.lm, "judge-model": model } = choice;
  try {
    return judgedBy(opened, await openLm({ ...choice, lm, model }));
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}

function judgedBy(opened: OpenedLm, judge: OpenedLm): OpenedLms {
  return {
    ...opened,
    judgeLm: judge.lm,
    standIns: [...opened.standIns, ...standInsAmong({ judgeLm: judge.lm.identity })],
    report: () => {
      const [student, other] = [opened.report(), judge.report()];
      const costs = ledger(student.ledger);
      costs.merge(other.ledger);
      return {
        lm: student.lm,
        judgeLm: other.lm,
        isRehearsal: student.isRehearsal || other.isRehearsal,
        ledger: costs.snapshot(),
      };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([opened[Symbol.asyncDispose](), judge[Symbol.asyncDispose]()]);
    },
  };
}

/** One LM that routes judges' requests to the judge LM and all others to the main LM. */
export function routedLm({ lm, judgeLm }: OpenedLms): LanguageModel {
  if (judgeLm === undefined) return lm;
  const { provider, model } = lm.identity;
  const judge = `${judgeLm.identity.provider} ${judgeLm.identity.model}`;
  return {
    identity: { provider, model: `${model}, judged by ${judge}` },
    doGenerate: (request, options) =>
      (options?.role === "judge" ? judgeLm : lm).doGenerate(request, options),
  };
}
