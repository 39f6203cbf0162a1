import { AxGen } from "@ax-llm/ax";
import type { LmMessage } from "espalier";
import { toAxSignature } from "../../../src/ax/prompt-template.ts";
import { renderInputs } from "../../../src/program/prompt/render-inputs.ts";
import type { FieldShape } from "../../../src/signature/index.ts";
import { bareAxService } from "../support/bare-ax-service.ts";
import type { DspyJob } from "./dspy.ts";
import { dspyPrompts } from "./dspy.ts";
import type { RecordedCalls } from "./recorded-calls.ts";

/** The prompts of one layout, one for each call, or the reason why there are none. */
export type Prompts = readonly (readonly LmMessage[])[] | string;

/** The same calls with the same demonstrations, as each of three frameworks would send them. */
export async function layouts(recorded: RecordedCalls): Promise<Readonly<Record<string, Prompts>>> {
  return {
    espalier: ours(recorded),
    ax: await axDefault(recorded),
    DSPy: await dspyChat(recorded),
  };
}

function ours({ program, calls, demos }: RecordedCalls): Prompts {
  const predictors = program.with(
    Object.entries(demos).map(([path, value]) => ({ kind: "demos", path, value }) as const),
  ).predictors as Readonly<Record<string, { render(inputs: object): readonly LmMessage[] }>>;
  return calls.map(({ predictor, inputs }) => predictors[predictor]?.render(inputs) ?? []);
}

async function axDefault(recorded: RecordedCalls): Promise<Prompts> {
  const prompts: (readonly LmMessage[])[] = [];
  for (const { predictor, inputs } of recorded.calls) {
    const { instruction, input, output, demos } = partsOf(recorded, predictor);
    const generator = new AxGen(toAxSignature({ instruction, input, output }));
    generator.setExamples(
      demos.map((demo) => ({ ...renderInputs(input, demo.inputs), ...demo.outputs })) as never,
    );
    let asked: readonly LmMessage[] = [];
    const service = bareAxService("bench", async ({ chatPrompt }) => {
      asked = chatPrompt.map((message) => ({
        role: message.role as LmMessage["role"],
        content: textOf("content" in message ? message.content : ""),
      }));
      throw new Error("Only the prompt was needed.");
    });
    const forward = generator.forward(service, renderInputs(input, inputs), {
      stream: false,
      maxRetries: 0,
    });
    await forward.catch((error: unknown) => {
      if (asked.length === 0) throw error;
    });
    prompts.push(asked);
  }
  return prompts;
}

async function dspyChat(recorded: RecordedCalls): Promise<Prompts> {
  const names = [...new Set(recorded.calls.map(({ predictor }) => predictor))];
  const signatures = names.map((predictor): DspyJob["signatures"][number] => {
    const { instruction, input, output, demos } = partsOf(recorded, predictor);
    return {
      name: predictor,
      instruction,
      inputs: input.map(({ name, description }) => ({ name, description, type: "str" })),
      outputs: output.map(({ name, description, shape }) => ({
        name,
        description,
        ...typeOf(shape),
      })),
      demos: demos.map((demo) => ({ ...renderInputs(input, demo.inputs), ...demo.outputs })),
    };
  });
  return dspyPrompts({
    signatures,
    calls: recorded.calls.map(({ predictor, inputs }) => ({
      predictor,
      inputs: renderInputs(partsOf(recorded, predictor).input, inputs, "all"),
    })),
  });
}

function partsOf({ program, demos }: RecordedCalls, name: string) {
  const found = Object.entries(program.predictors).find(([key]) => key === name)?.[1];
  if (found === undefined) throw new Error(`The program has no predictor ${name}.`);
  const { instruction, signature } = found;
  return { instruction, ...signature.fields, demos: demos[name] ?? [] };
}

/** The Python type of an output. */
function typeOf(shape: FieldShape): {
  readonly type: string;
  readonly options?: readonly string[];
} {
  switch (shape.kind) {
    case "label":
      return { type: "label", options: shape.options };
    case "number":
      return { type: shape.integer ? "int" : "float" };
    case "boolean":
      return { type: "bool" };
    case "list":
      return { type: "list" };
    default:
      return { type: "str" };
  }
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((piece: { readonly text?: string }) => piece.text ?? "").join("");
}
