import type { PromptDemonstration } from "../../ax/index.ts";
import type { DemonstratedStep, Json, JsonObject } from "../../contract/index.ts";
import { withoutChatTokens } from "../../internal/index.ts";
import type { DriverBinding } from "./driver.ts";
import { renderInputs } from "../prompt/render-inputs.ts";

/** Renders the data that a driver puts into a prompt beside the predictor's own texts. */
export interface DataInPrompt {
  /** All inputs; absent ones are shown as empty. */
  inputs(values: JsonObject): Readonly<Record<string, string>>;
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

/** In UTF-16 code units. */
const longestShown = 2_000;

/**
 * Renders data in the binding's layout, and breaks chat-template tokens unless the predictor keeps
 * them.
 */
export function dataInPrompt({
  input,
  demos,
  layout,
  settings,
}: Pick<DriverBinding, "input" | "demos" | "layout" | "settings">): DataInPrompt {
  const keepsChatTokens = settings.keepsChatTokens === true;
  const as = { layout, keepsChatTokens };
  const written = layout === 1 || keepsChatTokens ? (text: string) => text : withoutChatTokens;
  return {
    inputs: (values) => renderInputs(input, values, "all", as),
    demos: demos.map((demo) => ({
      inputs: renderInputs(input, demo.inputs, "present", as),
      outputs: mapTexts(demo.outputs, written) as JsonObject,
    })),
    demoSteps: demos.map(({ steps = [] }) =>
      steps.map(({ thought, calls }) => ({
        ...(thought !== undefined && { thought: written(thought) }),
        calls: calls.map(({ tool, input, result }) => ({
          tool,
          input: mapTexts(input, written) as JsonObject,
          result: written(result),
        })),
      })),
    ),
    written,
    shownReply: (content) => written(content.slice(0, longestShown).toWellFormed()),
  };
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, change));
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [key, mapTexts(held, change)]),
  );
}
