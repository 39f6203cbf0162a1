import type {
  ClientCall,
  ClientTools,
  JsonSchema,
  LmMessage,
  LmTool,
} from "../../contract/index.ts";
import { argumentsIn, argumentsText } from "./tool.ts";
import type { AgentProtocol, WantedCall } from "./agent-protocols.ts";
import { agentProtocols, withoutTools } from "./agent-protocols.ts";
import type { AgentSettings } from "./driver.ts";

/** How an agent talks to its model in one run, in which its caller may have brought tools. */
export interface ClientTurn {
  readonly protocol: AgentProtocol;
  /** Names of all tools that the model may ask for. */
  readonly names: readonly string[];
  /** What was exchanged with the caller since the question, as the model sees it. */
  readonly exchange: readonly LmMessage[];
  /** Steps and calls of that exchange. */
  readonly steps: number;
  readonly made: number;
  /** Whether the model has a tool that it may ask for. */
  readonly hasTools: boolean;
  /** Whether the model hears that it may call no further tool. */
  readonly endsCalls: boolean;
  /** Whether this is a tool of the caller that the model may ask for. */
  isClients(name: string): boolean;
  /** The calls that the caller has to make, at most `room`; what is no JSON object is none. */
  askedOf(calls: readonly WantedCall[], room: number): readonly ClientCall[];
}

/** @param written cleans text of the caller before the model sees it */
export function clientTurn(
  { tools = [], isAllowed = true, isParallel = true, steps = [] }: Partial<ClientTools>,
  {
    own,
    calls: form,
    signature,
    written,
  }: {
    /** The agent's tools, with their current descriptions. */
    readonly own: readonly LmTool[];
    readonly calls: AgentSettings["calls"];
    readonly signature: string;
    readonly written: (text: string) => string;
  },
): ClientTurn {
  const clients = tools.map((tool) => cleaned(tool, written));
  const offered = isAllowed ? clients : [];
  // Servers want to see the tools of calls in the conversation, also where none may follow.
  const shown = own.length > 0 || isAllowed ? [...own, ...offered] : clients;
  const protocol = (shown.length === 0 ? withoutTools(form) : agentProtocols[form])(
    shown,
    signature,
    // References begin at the root, and a step's schema has another.
    new Set(shown.filter((tool) => JSON.stringify(tool).includes('"$ref"')).map(nameOf)),
  );
  const names = new Set(offered.map(nameOf));
  const hasTools = own.length > 0 || offered.length > 0;
  return {
    protocol,
    names: [...own, ...offered].map(nameOf),
    exchange: steps.flatMap(({ text = "", calls }, index) => {
      const wanted = calls.map(({ name, arguments: given }) => ({
        name: written(name),
        arguments: written(argumentsText(given)),
      }));
      const results = calls.map(({ result }) => written(shortened(result)));
      const said = protocol.written(written(text), wanted);
      return protocol.answered(said, wanted, results, index + 1);
    }),
    steps: steps.length,
    made: steps.reduce((sum, { calls }) => sum + calls.length, 0),
    hasTools,
    endsCalls: shown.length > 0 || steps.length > 0,
    isClients: (name) => names.has(name),
    askedOf: (calls, room) =>
      calls
        .slice(0, room)
        .filter((call) => names.has(call.name) && argumentsIn(call.arguments) !== null)
        .slice(0, isParallel ? room : 1)
        .map(({ name, arguments: given }) => ({ name, arguments: argumentsText(given) })),
  };
}

const nameOf = ({ name }: LmTool): string => name;

function cleaned(
  { name, description, parameters }: LmTool,
  written: (text: string) => string,
): LmTool {
  return {
    name,
    description: written(description),
    // As JSON, in which names of properties are cleaned too.
    parameters: JSON.parse(written(JSON.stringify(parameters))) as JsonSchema,
  };
}

/** A long result must not fill the context. In UTF-16 code units. */
const longestResult = 12_000;

/** The result of a tool as the model sees it. */
export function shortened(result: string): string {
  if (result.length <= longestResult) return result.trim() === "" ? "(empty)" : result;
  const kept = result.slice(0, longestResult).toWellFormed();
  return `${kept}\n(${result.length - longestResult} further characters are left out)`;
}
