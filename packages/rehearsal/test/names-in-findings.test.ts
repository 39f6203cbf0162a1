import { describe, expect, it } from "vitest";
import { rehearsalLm } from "../src/index.ts";
import { taskRequest } from "./support/prompts.ts";

const lm = rehearsalLm();

interface Hop {
  readonly asked: string;
  /** Says, with a word of the family of the question's, who or what is asked for. */
  readonly telling: string;
  readonly name: string;
  /** Has a name as well, but nothing that the question asks for. */
  readonly beside: string;
  /** Says of another thing what is asked of this one. */
  readonly ofAnother: string;
  readonly wrong: string;
}

const domains: Readonly<Record<string, Hop>> = {
  companies: {
    asked: "When was the operator of Orbex Foods founded?",
    telling: "Orbex Foods makes cereal and is operated by Tallis Group since last spring.",
    name: "Tallis Group",
    beside: "Cereal is stored in Norvik, where Carla Dunn runs the warehouse.",
    ofAnother: "The bakery chain Pellar is operated by Henshaw Partners.",
    wrong: "Henshaw Partners",
  },
  medicine: {
    asked: "In which city did the discoverer of the Varo enzyme study?",
    telling: "The Varo enzyme splits starch and was discovered by Imre Kolb in yeast.",
    name: "Imre Kolb",
    beside: "Starch is tested at the Selby Clinic on Mondays.",
    ofAnother: "The hormone Lutan was discovered by Grete Falk.",
    wrong: "Grete Falk",
  },
  rivers: {
    asked: "Which sea does the tributary of the Ostra river flow past?",
    telling: "The Ostra river is joined by its tributary, the Little Venn, below the hills.",
    name: "Little Venn",
    beside: "Below the hills lies Marrow Dale, known for its cheese.",
    ofAnother: "Further south the Kesh has a tributary, the Upper Brill.",
    wrong: "Upper Brill",
  },
};

describe.each(Object.entries(domains))("names in findings about %s", (_, hop) => {
  it("lead the query to what the question asks for, wherever it stands in the notes", async () => {
    for (const findings of [
      [hop.telling, hop.beside],
      [hop.beside, hop.telling],
    ]) {
      expect((await carried(hop.asked, findings)).slice(0, 2).join(" ")).toBe(hop.name);
    }
  });

  it("that say the same of another thing come after the one that is asked about", async () => {
    for (const findings of [
      [hop.telling, hop.ofAnother],
      [hop.ofAnother, hop.telling],
    ]) {
      const names = (await carried(hop.asked, findings)).join(" ");
      expect(names.slice(0, hop.name.length)).toBe(hop.name);
    }
  });

  it("mislead the query where nothing else is found: it knows no more than its notes", async () => {
    expect((await carried(hop.asked, [hop.ofAnother, hop.beside])).slice(0, 2).join(" ")).toBe(
      hop.wrong,
    );
  });

  it("that lie are followed as the truth would be", async () => {
    const lie = hop.telling.replace(hop.name, hop.wrong);
    expect((await carried(hop.asked, [lie, hop.beside])).slice(0, 2).join(" ")).toBe(hop.wrong);
  });

  it("are left alone without a word of instruction", async () => {
    expect(await carried(hop.asked, [hop.telling], "Do the task.")).toEqual([]);
  });
});

/** Words of the query that the question does not have. */
async function carried(
  asked: string,
  findings: readonly string[],
  instruction: string = "Use the names from the key findings.",
): Promise<readonly string[]> {
  const { content } = await lm.doGenerate(
    taskRequest({
      instruction,
      inputs: [
        ["Question", "What the user asks.", asked],
        ["Notes", "Notes of the earlier steps.", `Key findings: ${findings.join(" ")}`],
      ],
      properties: { query: { type: "string", description: "Search query." } },
    }),
  );
  const { query } = JSON.parse(content ?? "") as { readonly query: string };
  return query.split(" ").filter((word) => !asked.includes(word));
}
