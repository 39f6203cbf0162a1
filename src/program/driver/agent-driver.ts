import type {
  DemonstratedStep,
  JsonObject,
  LanguageModel,
  LmMessage,
  LmReply,
  LmRequest,
  LmTextMessage,
  LmTool,
  Tool,
} from "../../contract/index.ts";
import { promptTemplate } from "../../ax/index.ts";
import { ClientCallsError, FormatError } from "../../errors/index.ts";
import { contentHash, getOwn, wellFormed } from "../../internal/index.ts";
import { fieldParser, jsonSchemaOf } from "../../signature/index.ts";
import { argumentsIn } from "./tool.ts";
import type { AgentProtocol, WantedCall } from "./agent-protocols.ts";
import type { ClientTurn } from "./client-turn.ts";
import { clientTurn, shortened } from "./client-turn.ts";
import { askAgain, dataInPrompt } from "./data-in-prompt.ts";
import type { AgentSettings, BoundDriver, Driver, DriverBinding, DriverSession } from "./driver.ts";
import { readReply } from "./read-reply.ts";

/**
 * Lets the model call tools, step by step, until it writes the outputs; then reads them as the
 * default driver does. When it may take no further step, it is asked for the outputs with a schema.
 */
export function agentDriver(
  tools: readonly Tool[],
  settings: Omit<AgentSettings, "tools">,
): Driver {
  return Object.freeze({
    name: "agent",
    tools: Object.freeze([...tools]),
    doBind: (binding: DriverBinding) => bind(binding, tools, settings),
  });
}

function bind(
  binding: DriverBinding,
  tools: readonly Tool[],
  limits: Omit<AgentSettings, "tools">,
): BoundDriver {
  const { signature, instruction, input, output, settings } = binding;
  const data = dataInPrompt(binding);
  const template = promptTemplate({ instruction, input, output }, data.demos);
  const parse = fieldParser(signature.output, "lenient");
  const { sampling, thinking, corrections } = settings;
  const shown = shownTools(tools, binding.toolDescriptions);
  const turnOf = (client: DriverSession["clientTools"]): ClientTurn =>
    clientTurn(client ?? {}, {
      own: shown,
      calls: limits.calls,
      signature: signature.name,
      written: data.written,
    });
  const alone = turnOf(undefined);
  const asked = { sampling, seed: 0, ...(thinking === undefined ? {} : { thinking }) };
  const outputs = { responseSchema: { name: signature.name, schema: jsonSchemaOf(output) } };
  const stepsShown = data.demoSteps.map((steps, demo) =>
    demonstrated(steps, alone.protocol, `d${String(demo % 1_000).padStart(3, "0")}`),
  );
  const rendered = (inputs: JsonObject, { protocol, exchange }: ClientTurn) => {
    const { texts, withImages } = data.inputs(inputs);
    const prompt = withImages(withGuide(template.render(texts), protocol.guide));
    return [...withSteps(prompt, stepsShown), ...exchange];
  };
  const read = (reply: LmReply): JsonObject =>
    readReply(reply, parse, sampling.maxCompletionTokens);

  /** The outputs, for which the model is asked alone; one correction if they are unusable. */
  const concluded = async (
    messages: readonly LmMessage[],
    lm: LanguageModel,
    turn: ClientTurn,
    error?: FormatError,
  ): Promise<JsonObject> => {
    const ending = turn.endsCalls ? [conclude] : [];
    const request = (shownMessages: readonly LmMessage[]): LmRequest => ({
      messages: shownMessages,
      ...asked,
      ...turn.protocol.withoutCalls,
      ...outputs,
    });
    const reply =
      error === undefined
        ? await lm.doGenerate(request([...messages, ...ending]))
        : await askAgain(lm, request(messages), error, data);
    try {
      return read(reply);
    } catch (thrown) {
      const isLast = error !== undefined || corrections === 0;
      if (!FormatError.isInstance(thrown) || isLast) throw thrown;
      return concluded([...messages, ...ending], lm, turn, thrown);
    }
  };

  return {
    doRender: (inputs) => rendered(inputs, alone),
    doPredict: async (inputs, session) => {
      const turn = session.clientTools === undefined ? alone : turnOf(session.clientTools);
      const { protocol } = turn;
      let messages: readonly LmMessage[] = rendered(inputs, turn);
      let { made } = turn;
      const most = turn.hasTools ? limits.maxSteps : 0;
      const steps = Math.min(most, session.maxSteps ?? most);
      for (let step = turn.steps + 1; step <= steps && made < limits.maxToolCalls; step++) {
        const lm = protocol.mayConclude ? session.lm : session.unheard;
        const reply = await lm.doGenerate({ messages, ...asked, ...protocol.request });
        const wanted = protocol.read(reply);
        if (wanted.state === "done") break;
        if (wanted.state === "outputs") {
          try {
            return read(reply);
          } catch (error) {
            if (!FormatError.isInstance(error) || corrections === 0) throw error;
            // The reply that a loop spoilt is not shown: what it was to be is said again.
            const ending = error.isLoop && turn.endsCalls ? [conclude] : [];
            return concluded([...messages, ...ending], session.lm, turn, error);
          }
        }
        const room = limits.maxToolCalls - made;
        // Own calls of this turn are not made: the next run begins anew, and knows no result.
        const ofClient = turn.askedOf(wanted.calls, room);
        if (ofClient.length > 0) throw new ClientCallsError(ofClient);
        made += wanted.calls.length;
        const before = contentHash(messages);
        const { names } = turn;
        const results = await allResults(wanted.calls, async (call, index) => {
          if (index >= room) return "Not called: no further call is allowed.";
          if (turn.isClients(call.name)) return noObject;
          return resultOf(call, session, { tools, names, place: `${step}.${index + 1}`, before });
        });
        const written = results.map((result) => data.written(shortened(result)));
        messages = messages.concat(protocol.answered(reply, wanted.calls, written, step));
      }
      return concluded(messages, session.lm, turn);
    },
  };
}

const conclude: LmMessage = {
  role: "user",
  content:
    "Call no further tool. Write the JSON object now, with every required field, and nothing else.",
};

/** Waits for all, since one that fails must not leave others running unseen. */
async function allResults(
  calls: readonly WantedCall[],
  make: (call: WantedCall, index: number) => Promise<string>,
): Promise<readonly string[]> {
  const ended = await Promise.allSettled(calls.map(make));
  return ended.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

/** What the model is told of a call. */
async function resultOf(
  { name, arguments: given }: WantedCall,
  session: DriverSession,
  at: {
    readonly tools: readonly Tool[];
    readonly names: readonly string[];
    readonly place: string;
    readonly before: string;
  },
): Promise<string> {
  const tool = at.tools.find((each) => each.name === name);
  if (tool === undefined || session.tools === undefined) {
    return `Error: there is no tool \`${name}\`. Tools: ${at.names.join(", ")}`;
  }
  const input = argumentsIn(given);
  if (input === null) return noObject;
  const outcome = await session.tools.call(tool, input, at);
  if (!outcome.ok) return `Error: ${outcome.error}`;
  return typeof outcome.value === "string"
    ? outcome.value
    : JSON.stringify(wellFormed(outcome.value));
}

const noObject = "Error: the arguments are not a JSON object";

/** The messages of a demonstration's steps. */
function demonstrated(
  steps: readonly DemonstratedStep[],
  protocol: AgentProtocol,
  prefix: string,
): readonly LmMessage[] {
  if (steps.length === 0) return [];
  const messages = steps.flatMap(({ thought = "", calls }, index) => {
    const wanted = calls.map(({ tool, input }) => ({
      name: tool,
      arguments: JSON.stringify(input),
    }));
    const results = calls.map(({ result }) => shortened(result));
    const written = protocol.written(thought, wanted);
    return protocol.answered(written, wanted, results, index + 1, prefix);
  });
  // Where no step's reply may be the outputs, they were asked for.
  return protocol.mayConclude ? messages : [...messages, conclude];
}

/** Puts each demonstration's steps between its two messages, which follow the system message. */
function withSteps(
  messages: readonly LmMessage[],
  steps: readonly (readonly LmMessage[])[],
): readonly LmMessage[] {
  const isPaired = messages.length === 2 * steps.length + 2;
  if (!isPaired || steps.every((each) => each.length === 0)) return messages;
  return messages.flatMap((message, index) => {
    const between = index % 2 === 1 ? (steps[(index - 1) / 2] ?? []) : [];
    return [message, ...between];
  });
}

function withGuide(messages: readonly LmTextMessage[], guide: string): readonly LmTextMessage[] {
  const [system, ...others] = messages;
  if (system === undefined || guide === "") return messages;
  return [{ ...system, content: `${system.content}\n\n${guide}` }, ...others];
}

/** Tools as the model sees them, with their current descriptions. */
function shownTools(
  tools: readonly Tool[],
  descriptions: Readonly<Record<string, string>>,
): readonly LmTool[] {
  const shown = tools.map(({ name, description, parameters }) => ({
    name,
    description: getOwn(descriptions, name) ?? description,
    parameters: withArguments(parameters, (argument) =>
      getOwn(descriptions, `${name}.${argument}`),
    ),
  }));
  return wellFormed(shown);
}

function withArguments(
  parameters: JsonObject,
  described: (argument: string) => string | undefined,
): JsonObject {
  const { properties } = parameters;
  if (properties === undefined) return parameters;
  const changed = Object.entries(properties as JsonObject).map(([name, schema]) => {
    const description = described(name);
    return [name, description === undefined ? schema : { ...(schema as JsonObject), description }];
  });
  return { ...parameters, properties: Object.fromEntries(changed) as JsonObject };
}
