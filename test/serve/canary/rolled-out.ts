import { join } from "node:path";
import type { Artifact, Registry } from "espalier/artifact";
import { compileArtifact, openRegistry } from "espalier/artifact";
import type { ChatServer, ChatServerOptions, ServeState } from "espalier/serve";
import { chatModel, openServeState, serving } from "espalier/serve";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { asked, atOnce, clientOf, served } from "../served.ts";
import type { Reply, Upstream } from "../upstream.ts";
import { answering, upstream } from "../upstream.ts";

/** `at-once`, whose answers are good where they speak of a river. */
const judged = serving({
  name: "towns",
  models: [
    chatModel({
      id: "at-once",
      program: atOnce,
      inputOf: ({ question }) => ({ question }),
      answerOf: ({ answer }) => ({ answer }),
      liveMetrics: {
        "says-where": ({ outcome }) => (outcome.answer.includes("river") ? 1 : 0),
      },
    }),
  ],
});

/** Answers as the instruction of the version says. */
export const asInstructed: Reply = (response, request) =>
  answering(isVague(request) ? "Somewhere." : "By the river.")(response, request);

export function isVague({ messages: [system] }: Parameters<Reply>[1]): boolean {
  return system?.content.includes("Be vague") === true;
}

function compiled(instruction: string): Artifact {
  return compileArtifact({
    program: atOnce,
    candidate: [{ kind: "instruction", path: "answer", value: instruction }],
    lm: { provider: "test", model: "none" },
    samples: { answer: [{ question: "Where?", history: [] }] },
  });
}

export interface RolledOut extends AsyncDisposable {
  readonly folder: string;
  readonly registry: Registry;
  /** The version that says where. */
  readonly exact: string;
  /** The version that does not. */
  readonly vague: string;
  readonly lm: Upstream;
  /** Lines of the log of all servers, parsed. */
  readonly lines: Record<string, unknown>[];
  /** The file of state; another name is another file. */
  state(name?: string): ServeState;
  /** A server over the registry. */
  serve(options: Partial<ChatServerOptions>): Promise<ChatServer>;
}

/** A registry with both versions, `production` and perhaps `candidate` set, and an LM's server. */
export async function rolledOut({
  production = "exact",
  candidate = "vague",
  reply = asInstructed,
}: {
  readonly production?: "exact" | "vague";
  readonly candidate?: "exact" | "vague" | null;
  readonly reply?: Reply;
} = {}): Promise<RolledOut> {
  const resources = new AsyncDisposableStack();
  const { path: folder } = resources.use(await temporaryFolder());
  const registry = openRegistry(join(folder, "artifacts"), { patienceMs: 200 });
  const versions = {
    exact: (await registry.add(compiled("Be exact."))).version,
    vague: (await registry.add(compiled("Be vague."))).version,
  };
  await registry.promote("at-once", versions[production], "production");
  if (candidate !== null) await registry.promote("at-once", versions[candidate], "candidate");
  const lm = resources.use(await upstream(reply));
  const lines: Record<string, unknown>[] = [];
  return {
    folder,
    registry,
    ...versions,
    lm,
    lines,
    state: (name = "state") => resources.use(openServeState(join(folder, `${name}.sqlite`))),
    serve: (options) =>
      served(lm, {
        serving: judged,
        registry,
        log: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
        ...options,
      }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Which version answered a user, and what. */
export async function ask(
  server: ChatServer,
  user: string | undefined,
  model = "at-once",
): Promise<{ readonly version: string; readonly answer: string | null | undefined }> {
  const reply = await clientOf(server).chat.completions.create({
    ...asked("Where?", model),
    ...(user !== undefined && { user }),
  });
  const { metadata } = reply as unknown as { readonly metadata: { readonly version: string } };
  return { version: metadata.version, answer: reply.choices[0]?.message.content };
}

export const users = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => `user-${from + index}`);
