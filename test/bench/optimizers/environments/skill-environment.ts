import type { Environment, SplitSizes } from "./environment.ts";
import { below, drawsOf, normal } from "./environment.ts";

export interface SkillShape {
  readonly name: string;
  readonly skills: number;
  readonly sizes: SplitSizes;
  /** How often the mock writes a worse text. */
  readonly wrong: number;
}

/**
 * One prompt that is good at each skill in degrees. A rollout is right or wrong by chance, more
 * likely right where the skill exceeds the example's difficulty. A rewrite raises the skills whose
 * lack it was shown and lets all others drift; a wrong one lowers three.
 */
export function skillEnvironment(shape: SkillShape, task: number, actsOn: number): Environment {
  const key = `${shape.name}:${task}`;
  const draws = drawsOf(key);
  const examples = new Map<string, { readonly skill: number; readonly difficulty: number }>();
  const split = (prefix: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => {
      const skill = below(draws, shape.skills);
      examples.set(`${prefix}${index}`, { skill, difficulty: 0.15 + 0.75 * draws() });
      return `${prefix}${index}`;
    });
  const [train, val, test] = [
    split("tr", shape.sizes[0]),
    split("va", shape.sizes[1]),
    split("te", shape.sizes[2]),
  ];
  const inTrain = new Set(train);
  const start = Array.from({ length: shape.skills }, () => 0.2 + 0.3 * draws());
  const exampleOf = (id: string): { readonly skill: number; readonly difficulty: number } =>
    examples.get(id) ?? { skill: 0, difficulty: 1 };
  const trueScore: Environment["trueScore"] = ({ prompt = "" }, exampleId) => {
    const { skill, difficulty } = exampleOf(exampleId);
    return 1 / (1 + Math.exp(-8 * ((levelsOf(prompt)[skill] ?? 0) - difficulty)));
  };
  return {
    name: shape.name,
    task,
    train,
    val,
    test,
    texts: { prompt: promptOf(start, 0) },
    ran: () => ["prompt"],
    trueScore,
    rolloutScore: (texts, exampleId, run, rollout) =>
      drawsOf(`noise:${key}:${run}:${rollout}`)() < trueScore(texts, exampleId) ? 1 : 0,
    feedback: (_, exampleId, score) =>
      inTrain.has(exampleId) && score < 1
        ? { prompt: `Case ${exampleId}: skill ${exampleOf(exampleId).skill} was lacking.` }
        : {},
    rewrite: ({ text, feedback, run, call }) => {
      const ofCall = drawsOf(`lm:${key}:${run}:${call}`);
      const levels = levelsOf(text);
      const raise = (skill: number, by: number): void => {
        levels[skill] = (levels[skill] ?? 0) + by;
      };
      const shown = feedback.flatMap((said) =>
        [...said.matchAll(/skill (\d+)/g)].map(([, skill]) => Number(skill)),
      );
      if (ofCall() < shape.wrong) {
        for (let count = 0; count < 3; count++) {
          raise(below(ofCall, levels.length), -(0.1 + 0.25 * ofCall()));
        }
      } else {
        const raised = [...new Set(shown)].slice(0, actsOn);
        for (const skill of raised) raise(skill, 0.05 + 0.25 * ofCall());
      }
      const drifted = levels.map((level) => level + 0.03 * normal(ofCall));
      return promptOf(
        drifted.map((level) => Math.min(1, Math.max(0, level))),
        call,
      );
    },
  };
}

function promptOf(levels: readonly number[], version: number): string {
  return `skills ${levels.map((level) => level.toFixed(3)).join(",")} v#${version}`;
}

function levelsOf(prompt: string): number[] {
  return (prompt.split(" ")[1] ?? "").split(",").map(Number);
}
