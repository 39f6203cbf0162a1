import type { PublishedFigure } from "espalier";
import type { AnswerLine } from "./published-answers.ts";
import { publishedAnswers } from "./published-answers.ts";

const singleHop = ["squad", "nq", "triviaqa"] as const;
const sets = [...singleHop, "musique", "hotpotqa", "2wikimultihopqa"] as const;
type SetName = (typeof sets)[number];

/** EM, F1, accuracy, steps. */
type Numbers = readonly [em: number, f1: number, accuracy: number, steps: number];

interface Method {
  /** For single-hop, multi-hop and compound questions. */
  readonly tables: readonly [number, number, number];
  readonly bySet: Readonly<Record<SetName, Numbers>>;
  /** Accuracy and steps. */
  readonly compound?: readonly [accuracy: number, steps: number];
}

/** Every line of tables 1 to 5 whose method is a row of ours, and HANRAG-Fair. */
const methods = {
  "no-retrieval": {
    tables: [1, 2, 2],
    bySet: {
      squad: [3.6, 10.5, 5, 0],
      nq: [14.2, 19, 15.6, 0],
      triviaqa: [25, 31.8, 27, 0],
      musique: [2.4, 10.7, 3.2, 0],
      hotpotqa: [16.6, 22.71, 17.2, 0],
      "2wikimultihopqa": [27.4, 32.04, 27.8, 0],
    },
  },
  "single-step": {
    tables: [1, 2, 2],
    bySet: {
      squad: [27.8, 39.3, 34, 1],
      nq: [37.8, 47.3, 44.6, 1],
      triviaqa: [53.6, 62.4, 60.2, 1],
      musique: [13.8, 22.8, 15.2, 1],
      hotpotqa: [34.4, 46.15, 36.4, 1],
      "2wikimultihopqa": [41.6, 47.9, 42.8, 1],
    },
  },
  ircot: {
    tables: [1, 2, 2],
    bySet: {
      squad: [24.4, 35.6, 29.6, 4.52],
      nq: [38.6, 47.8, 44.2, 5.04],
      triviaqa: [53.8, 62.4, 60.2, 5.28],
      musique: [23, 31.9, 25.8, 3.6],
      hotpotqa: [44.6, 56.54, 47, 5.53],
      "2wikimultihopqa": [49.6, 58.85, 55.4, 4.17],
    },
  },
  adaptive: {
    tables: [1, 2, 2],
    bySet: {
      squad: [26.8, 38.3, 33, 1.37],
      nq: [37.8, 47.3, 44.6, 1],
      triviaqa: [52.2, 60.7, 58.2, 1.23],
      musique: [23.6, 31.8, 26, 3.22],
      hotpotqa: [42, 53.82, 44.4, 3.55],
      "2wikimultihopqa": [40.6, 49.75, 46.4, 2.63],
    },
    compound: [52.13, 2.76],
  },
  hanrag: {
    tables: [1, 2, 5],
    bySet: {
      squad: [39.8, 39.76, 57.8, 1.11],
      nq: [56.4, 49.12, 69.2, 1],
      triviaqa: [57.2, 62.21, 69.2, 1.08],
      musique: [29.8, 36.6, 43.2, 2.45],
      hotpotqa: [49.2, 58.9, 61.3, 3.07],
      "2wikimultihopqa": [47.2, 58.9, 60.8, 2.31],
    },
    compound: [71.76, 1.24],
  },
  fair: {
    tables: [1, 2, 2],
    bySet: {
      squad: [32.6, 44.9, 53.8, 1.13],
      nq: [50.5, 54.4, 64.8, 1.06],
      triviaqa: [52.4, 60.9, 63.6, 1.11],
      musique: [26.8, 34.1, 39.2, 2.86],
      hotpotqa: [46.9, 56.4, 58.8, 3.19],
      "2wikimultihopqa": [45.4, 55.3, 57.6, 2.39],
    },
    compound: [64.3, 1.68],
  },
  oracle: {
    tables: [3, 4, 5],
    bySet: {
      squad: [41.7, 52.2, 59.3, 1],
      nq: [56.8, 61.2, 70.7, 1],
      triviaqa: [58.4, 64.5, 71.6, 1],
      musique: [31.3, 38.2, 45.7, 2.37],
      hotpotqa: [52.9, 61.3, 65.8, 2.91],
      "2wikimultihopqa": [49.8, 62.3, 63.6, 2.24],
    },
    compound: [73.12, 1],
  },
} as const satisfies Readonly<Record<string, Method>>;
type HanragMethod = keyof typeof methods;

/** A method's line of one set. */
export function hanragLine(method: HanragMethod, set: SetName): AnswerLine {
  const [em, f1, accuracy, steps] = methods[method].bySet[set];
  return { em, f1, accuracy, steps };
}

/**
 * A method's line of each set, beside rows on that set alone. The line of `also` is named with it:
 * a figure of ours stands beside one of theirs.
 */
export function hanragLines(
  method: HanragMethod,
  differs: string,
  also?: { readonly method: HanragMethod; readonly name: string },
): readonly PublishedFigure[] {
  const { tables, compound }: Method = methods[method];
  const named = also && { name: also.name, lines: hanragLines(also.method, differs) };
  const lines = [
    ...sets.flatMap((set) =>
      publishedAnswers(hanragLine(method, set), {
        table: tables[singleHop.some((one) => one === set) ? 0 : 1],
        trainset: `${set}-questions`,
        differs,
      }),
    ),
    ...(compound === undefined
      ? []
      : publishedAnswers(
          { accuracy: compound[0], steps: compound[1] },
          { table: tables[2], trainset: "compound-questions", differs },
        )),
  ];
  return lines.map((figure) => {
    const other = named?.lines.find(
      ({ metric, trainset }) => metric === figure.metric && trainset === figure.trainset,
    );
    return other === undefined
      ? figure
      : { ...figure, of: `${figure.of}; ${named?.name} ${Math.abs(other.value)}` };
  });
}
