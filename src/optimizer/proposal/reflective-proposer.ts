import type { Sampling } from "../../contract/index.ts";
import type { ErrorCode } from "../../errors/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { checkCount, componentId } from "../../internal/index.ts";
import type { RejectionReason } from "../candidate/candidate-record.ts";
import type { Asked } from "../contract/optimizer.ts";
import type { InstructionImprover } from "./improve-instruction.ts";
import { improvingText, promptFrame, reflectionTask } from "./improving-text.ts";
import type { ProposalRequest, ProposedText, Proposer, RefusedText } from "./proposer.ts";
import { textOfContent } from "../../contract/index.ts";
import { cutToBytes, escapedLines, fairShares } from "./text/shown-text.ts";
import { bytesPerToken, estimateTokens } from "../plan/plan-costs.ts";
import type { ReflectiveCase, Wiring } from "./case/reflective-cases.ts";
import { renderCases } from "./case/render-cases.ts";

export interface ReflectiveProposerOptions {
  /**
   * Maximum prompt length, in tokens as `estimateTokens` counts them: three bytes of UTF-8 each.
   * Examples, the description of the program and a rejected text are cut to fit, down to a minimum
   * of 1,150 tokens together. The current text is never cut: if it leaves less than that, the
   * prompt is sent anyway. Values that leave less than 1,000 tokens for the current text are
   * rejected: below 3,137 with the shipped instruction. @default 16_000
   */
  readonly maxPromptTokens?: number;
  /**
   * Instruction for the reflection LM, replacing the shipped one: one for all components, or by
   * component id (`instruction:answer`), with the shipped one for the others. It has no
   * placeholders: the current text, its place in the program, the examples and a rejected text
   * follow as fields.
   */
  readonly instructions?: string | Readonly<Record<string, string>>;
  /** Sampling of the reflection LM. @default temperature 1, at most 8,192 tokens */
  readonly sampling?: Partial<Sampling>;
}

/**
 * Makes the reflection LM rewrite a text, given examples and the reason why its last text was
 * rejected.
 *
 * @throws EspalierError `option-invalid`; `component-unknown`, as a run begins, for an instruction
 *   with a component id that the run does not evolve
 */
export function reflectiveProposer({
  maxPromptTokens = 16_000,
  instructions,
  sampling: given,
}: ReflectiveProposerOptions = {}): Proposer {
  checkInstructions(instructions);
  const sampling = { temperature: 1, maxCompletionTokens: 8_192, ...given };
  const least = Math.max(...allOf(instructions).map(minPromptTokens));
  checkCount("maxPromptTokens", maxPromptTokens, least, "reflectiveProposer()");
  let made: ReturnType<typeof improvers> | undefined;
  return {
    name: "reflective",
    settings: {
      maxPromptTokens,
      sampling,
      ...(instructions === undefined ? {} : { instructions }),
    },
    costs: () => ({ longestText: sampling.maxCompletionTokens }),
    checkComponents: (ids) => {
      const named = typeof instructions === "object" ? Object.keys(instructions) : [];
      const unknown = named.find((id) => !ids.includes(id));
      if (unknown === undefined) return;
      throw new EspalierError({
        code: "component-unknown",
        problem: `reflectiveProposer() has an instruction for \`${unknown}\`, which this run does not evolve`,
        expected: ids.map((id) => `\`${id}\``).join(", "),
      });
    },
    propose: async (requests, run) => {
      const improverOf = await (made ??= improvers(instructions, sampling));
      const written = new Map<ProposalRequest, ProposedText>();
      // Requests with the same instruction run side by side.
      for (const [improver, group] of Map.groupBy(requests, improverOf)) {
        const answers = await run.ask(
          improver,
          group.map((request) => ({
            id: request.id,
            inputs: reflectionInputs(request, { improver, maxPromptTokens }),
          })),
        );
        for (const [index, request] of group.entries()) {
          written.set(request, proposedText(answers[index] as (typeof answers)[number]));
        }
      }
      return requests.map((request) => written.get(request) as ProposedText);
    },
  };
}

/**
 * Created once per instruction, since a prompt template costs more to create than to use; and with
 * the first request, since only that needs what renders prompts.
 */
async function improvers(
  instructions: ReflectiveProposerOptions["instructions"],
  sampling: Partial<Sampling>,
): Promise<(request: ProposalRequest) => InstructionImprover> {
  const { instructionImprover } = await import("./improve-instruction.ts");
  const [shared, byComponent] = sharedAndOwn(instructions);
  const common = instructionImprover(sampling, shared);
  const own = new Map(
    Object.entries(byComponent).map(([id, instruction]) => [
      id,
      instructionImprover(sampling, instruction),
    ]),
  );
  return ({ component }) => own.get(componentId(component)) ?? common;
}

function allOf(instructions: ReflectiveProposerOptions["instructions"]): readonly string[] {
  const [shared, byComponent] = sharedAndOwn(instructions);
  return [shared, ...Object.values(byComponent)];
}

/** The instruction of most components, and those of single ones by component id. */
function sharedAndOwn(
  instructions: ReflectiveProposerOptions["instructions"] = improvingText,
): readonly [string, Readonly<Record<string, string>>] {
  return typeof instructions === "string" ? [instructions, {}] : [improvingText, instructions];
}

function checkInstructions(instructions: ReflectiveProposerOptions["instructions"]): void {
  const given = typeof instructions === "object" ? Object.values(instructions) : [instructions];
  if (given.every((instruction) => instruction === undefined || instruction.trim() !== "")) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "Option `instructions` of reflectiveProposer() contains an empty instruction",
    expected: "a non-empty instruction for the reflection LM; omit it to use the default one",
  });
}

function proposedText(answer: Asked<{ readonly newInstruction: string }>): ProposedText {
  if (answer.ok) return { ok: true, text: answer.outputs.newInstruction };
  const { code, message } = answer.failure;
  return { ok: false, reason: rejectionReasonOf(code), detail: message, isFailure: true };
}

/** Why a request without a text counts as rejected. */
export function rejectionReasonOf(code: ErrorCode): RejectionReason {
  if (code === "output-truncated") return "truncated";
  if (code === "output-empty") return "empty";
  return code.startsWith("output-") ? "unreadable" : "reflection-fault";
}

/** By field of `improve-instruction`. */
export type ReflectionInputs = Readonly<
  Record<"instruction" | "step" | "examples" | "refused" | "task", string>
>;

/** Minimum tokens for the examples; fewer would leave nothing to learn from. */
const minCaseTokens = 1_000;
/** Minimum tokens for the description of the program and rejected texts, together. */
const minOtherTokens = 150;
/** Maximum share of the whole prompt for each of these two. */
const maxPromptShare = 1 / 8;
/** Of the room for all rejected texts, for each of them and each reason. */
const maxRefusedShare = 1 / 4;
/** Tokens for the separators between fields. */
const margin = 50;
/** Tokens for the current text in the shortest prompt. */
const minTextTokens = 1_000;

/**
 * The smallest prompt of an instruction with room for a current text of 1,000 tokens and the
 * minimum of everything else.
 */
export function minPromptTokens(instruction: string): number {
  const system = promptFrame.system + Buffer.byteLength(instruction);
  const user = promptFrame.user + Buffer.byteLength(reflectionTask);
  const empty = Math.ceil(system / bytesPerToken) + Math.ceil(user / bytesPerToken);
  return margin + empty + minTextTokens + minOtherTokens + minCaseTokens;
}

/**
 * Builds what the reflection LM sees for a request, in a prompt of at most `maxPromptTokens`: the
 * current text in full, the rest cut to fit, and the examples in the remaining room. If the current
 * text leaves too little, the rest still gets its minimum, and the prompt exceeds the limit by
 * that.
 */
export function reflectionInputs(
  { component, place, cases, refused = [] }: ProposalRequest,
  {
    improver,
    maxPromptTokens,
  }: { readonly improver: InstructionImprover; readonly maxPromptTokens: number },
): ReflectionInputs {
  const texts = { instruction: component.value, task: reflectionTask };
  const bare = { ...texts, step: "", examples: "", refused: "" };
  const room = maxPromptTokens - tokensOf(improver, bare);
  const most = maxPromptTokens * maxPromptShare * bytesPerToken;
  const others = [[place, ...wiringLines(cases)].join("\n"), refusedProposals(refused, most)];
  const shares = fairShares(
    others.map((text) => ({ need: Math.min(Buffer.byteLength(text), most) })),
    Math.max(minOtherTokens, room - minCaseTokens) * bytesPerToken,
  );
  const [step = "", shown = ""] = others.map((text, at) => cutToBytes(text, shares[at] ?? 0));
  const fixed = { ...bare, step, refused: shown };
  const forCases = Math.max(minCaseTokens, maxPromptTokens - tokensOf(improver, fixed));
  return { ...fixed, examples: renderCases(cases, forCases) };
}

function tokensOf(improver: InstructionImprover, inputs: ReflectionInputs): number {
  return improver
    .render(inputs)
    .reduce((sum, { content }) => sum + estimateTokens(textOfContent(content)), margin);
}

function refusedProposals(proposals: readonly RefusedText[], room: number): string {
  const shown = (text: string): string =>
    cutToBytes(escapedLines(text, "heading"), room * maxRefusedShare);
  return proposals
    .map(({ text, detail }, at) =>
      [`# Proposal ${at + 1}`, shown(text), "## Why it was refused", shown(detail)].join("\n\n"),
    )
    .join("\n\n");
}

/** The steps that this one took inputs from and passed outputs to in the examples. */
function wiringLines(cases: readonly ReflectiveCase[]): readonly string[] {
  return [
    ...linesFor(cases, "from", "What it takes as", "was written by"),
    ...linesFor(cases, "to", "What it writes as", "went on to"),
  ].map((line) => `${line} in the examples.`);
}

/** Joins all fields with the same steps at their other end into one line. */
function linesFor(
  cases: readonly ReflectiveCase[],
  side: keyof Wiring,
  subject: string,
  verb: string,
): readonly string[] {
  const byField = new Map<string, Set<string>>();
  for (const [field, steps] of cases.flatMap(({ wiring }) => Object.entries(wiring[side]))) {
    byField.set(field, new Set([...(byField.get(field) ?? []), ...steps]));
  }
  const bySteps = Map.groupBy(byField, ([, steps]) => quoted([...steps].toSorted()));
  return [...bySteps].map(
    ([steps, fields]) => `${subject} ${quoted(fields.map(([field]) => field))} ${verb} ${steps}`,
  );
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
