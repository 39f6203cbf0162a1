import type { JsonSchema, LmMessage, LmRequest } from "../../../../src/contract/index.ts";

/** An input as a prompt shows it: title, description, value. */
export type ShownInput = readonly [title: string, description: string, value: string];

/** A request in the sections in which programs send theirs. */
export function taskRequest({
  instruction,
  inputs,
  properties,
  demonstrations = [],
  seed = 1,
  temperature = 0,
  topLogprobs,
}: {
  readonly instruction: string;
  readonly inputs: readonly ShownInput[];
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly demonstrations?: readonly {
    readonly inputs: readonly ShownInput[];
    readonly outputs: object;
  }[];
  readonly seed?: number;
  readonly temperature?: number;
  readonly topLogprobs?: number;
}): LmRequest {
  const titles = inputs.map(([title]) => `\`${title}\``).join(", ");
  const shown = inputs.map(([title, description]) => `${title}: ${description}`).join("\n");
  const system = `<identity>
You will be provided with the following fields: ${titles}.
</identity>

<input_fields>
**Input Fields**: The following fields will be provided to you:

${shown}
</input_fields>

<output_fields>
**Output Fields**: You must generate the following fields:
</output_fields>

<task_definition>
${instruction}
</task_definition>

<formatting_rules>
Return one valid JSON object matching <output_fields>.
</formatting_rules>`;
  const demos = demonstrations.flatMap((demonstration): LmMessage[] => [
    { role: "user", content: valuesOf(demonstration.inputs, "\n") },
    { role: "assistant", content: JSON.stringify(demonstration.outputs) },
  ]);
  const marker =
    demos.length === 0 ? "" : "--- END OF EXAMPLES ---\nOnly examples.\n\nREAL USER QUERY:\n";
  return {
    messages: [
      { role: "system", content: system },
      ...demos,
      { role: "user", content: `${marker}${valuesOf(inputs, "\n\n")}\n` },
    ],
    sampling: greedy(temperature),
    seed,
    responseSchema: {
      name: "reply",
      schema: {
        type: "object",
        properties,
        required: Object.keys(properties),
        additionalProperties: false,
      },
    },
    ...(topLogprobs === undefined ? {} : { topLogprobs }),
  };
}

/** A request of messages alone. */
export function plainRequest(messages: readonly LmMessage[], temperature = 0): LmRequest {
  return { messages, sampling: greedy(temperature), seed: 1 };
}

export function greedy(temperature = 0): LmRequest["sampling"] {
  return {
    temperature,
    topP: 1,
    topK: 0,
    minP: 0,
    presencePenalty: 0,
    frequencyPenalty: 0,
    repetitionPenalty: 1,
    maxCompletionTokens: 2_000,
    stop: [],
  };
}

function valuesOf(inputs: readonly ShownInput[], between: string): string {
  return inputs.map(([title, , value]) => `${title}: ${value}`).join(between);
}
