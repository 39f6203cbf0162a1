import type { PromptDemonstration } from "../../ax/index.ts";
import type {
  DemonstratedStep,
  JsonObject,
  LanguageModel,
  LmMessage,
  LmReply,
  LmRequest,
  LmTextMessage,
} from "../../contract/index.ts";
import { mapTexts, withoutChatTokens } from "../../internal/index.ts";
import { imageFields } from "../../signature/index.ts";
import type { DriverBinding } from "./driver.ts";
import { imageMarks } from "../prompt/image-marks.ts";
import { renderInputs } from "../prompt/render-inputs.ts";
import type { FormatError } from "../../errors/index.ts";
import { LmError } from "../../errors/index.ts";

/** Renders the data that a driver puts into a prompt beside the predictor's own texts. */
export interface DataInPrompt {
  /** All inputs; absent ones are shown as empty. */
  inputs(values: JsonObject): ShownInputs;
  readonly demos: readonly PromptDemonstration[];
  /** What an agent did in each demonstration. */
  readonly demoSteps: readonly (readonly DemonstratedStep[])[];
  /** Cleans text that the model wrote before it is sent back to the model. */
  readonly written: (text: string) => string;
  /**
   * The part of an unusable reply that a correction shows: its beginning, since a runaway reply
   * must not fill the context.
   */
  readonly shownReply: (content: string) => string;
}

/** Inputs on their way into messages. */
export interface ShownInputs {
  readonly texts: Readonly<Record<string, string>>;
  /** Puts the pictures of demonstrations and inputs into the messages that show their texts. */
  readonly withImages: (messages: readonly LmTextMessage[]) => readonly LmMessage[];
}

/** In UTF-16 code units. */
const longestShown = 2_000;

/** Renders data, and breaks chat-template tokens unless the predictor keeps them. */
export function dataInPrompt({
  input,
  demos,
  settings,
}: Pick<DriverBinding, "input" | "demos" | "settings">): DataInPrompt {
  const keepsChatTokens = settings.keepsChatTokens === true;
  const ofDemos = imageFields(input).length > 0 ? imageMarks() : undefined;
  const as = { keepsChatTokens, images: ofDemos };
  const cleaned = keepsChatTokens ? (text: string) => text : withoutChatTokens;
  const written =
    ofDemos === undefined ? cleaned : (text: string) => ofDemos.without(cleaned(text));
  const shownDemos = demos.map((demo) => ({
    inputs: renderInputs(input, demo.inputs, "present", as),
    outputs: mapTexts(demo.outputs, written) as JsonObject,
  }));
  return {
    inputs: (values) => {
      const images = ofDemos?.extended();
      return {
        texts: renderInputs(input, values, "all", { ...as, images }),
        withImages: (messages) => images?.placed(messages) ?? messages,
      };
    },
    demos: shownDemos,
    demoSteps: demos.map(({ steps = [] }) =>
      steps.map(({ thought, calls }) => ({
        ...(thought !== undefined && { thought: written(thought) }),
        calls: calls.map(({ tool, input: given, result }) => ({
          tool,
          input: mapTexts(given, written) as JsonObject,
          result: written(result),
        })),
      })),
    ),
    written,
    shownReply: (content) => written(content.slice(0, longestShown).toWellFormed()),
  };
}

/**
 * Asks once more, and shows the model its unusable reply and what is wrong with it. A model that
 * repeated itself would go on: it is asked anew, with a penalty on tokens that it repeats, and with
 * the lengths of its texts in the grammar.
 *
 * @param request the one that got the reply
 * @throws the `error` itself, where the server refuses that
 */
export async function askAgain(
  lm: LanguageModel,
  request: LmRequest,
  error: FormatError,
  { written, shownReply }: DataInPrompt,
): Promise<LmReply> {
  const { rawText, report, isLoop } = error;
  const { messages, sampling, responseSchema } = request;
  const { frequencyPenalty } = sampling;
  if (isLoop && frequencyPenalty < highestPenalty) {
    const penalty = Math.min(highestPenalty, frequencyPenalty + 0.5);
    const penalized = {
      ...request,
      sampling: { ...sampling, frequencyPenalty: penalty },
      ...(responseSchema && { responseSchema: { ...responseSchema, holdsLengths: true as const } }),
    };
    return lm.doGenerate(penalized).catch((refused: unknown) => {
      throw LmError.isInstance(refused) && refused.code === "lm-request-refused" ? error : refused;
    });
  }
  const shown = shownReply(rawText ?? "");
  const correction = `That reply could not be used. ${written(report.problem)}. Write the whole JSON object again, with every required field, and nothing else.`;
  return lm.doGenerate({
    ...request,
    messages: [
      ...messages,
      { role: "assistant", content: shown === "" ? "(empty)" : shown },
      { role: "user", content: correction },
    ],
  });
}

const highestPenalty = 2;
