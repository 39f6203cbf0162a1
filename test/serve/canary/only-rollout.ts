import type { ChatServer } from "espalier/serve";

/** The one rollout that the server has. */
export async function onlyRollout(server: ChatServer) {
  const [rollout, ...others] = await server.rollouts();
  if (rollout === undefined || others.length > 0) throw new Error("There is one rollout.");
  return rollout;
}

/** How many keys its comparison has counted, in both versions. */
export async function counted(server: ChatServer): Promise<number> {
  const { baseline, candidate } = (await onlyRollout(server)).findings;
  return baseline.keys + candidate.keys;
}
