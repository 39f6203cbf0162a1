import type { Example, Study } from "espalier";
import { labelWeight, predict, program, signature, study, text } from "espalier";
import { metric, scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import shipped, { classify } from "../../../optimizers/question-types.ts";

/** What small models learn from demonstrations: 100 of the questions of `npm run optimize`. */
export const questionTypes = async (): Promise<Study> => overQuestions((await shipped()).program);

/** The same with a weight for each type. */
export const weighedTypes = async (): Promise<Study> =>
  overQuestions(
    program({
      name: "weighed-types",
      version: "1",
      input: classify.input,
      output: classify.output,
      parameters: Object.fromEntries(
        classify.output.type.options.map((label) => [
          label,
          labelWeight({ predictor: "classify", field: "type", label }),
        ]),
      ),
      predictors: { classify: predict(classify, { probabilities: { type: {} } }) },
      forward: (given, { predictors }) => predictors.classify(given),
    }),
  );

async function overQuestions(over: Study["program"]): Promise<Study> {
  const { train, val, test } = (await shipped()).trainset.splits;
  return study({
    name: over.name,
    program: over,
    trainset: trainset<unknown, unknown>({
      name: "question-types",
      version: "1",
      licence: "CC0-1.0",
      source: "own writing",
      splits: {
        train: train.slice(0, 20),
        val: val.slice(0, 20),
        test: test.slice(0, 40),
      },
    }),
    objective: exact("type"),
  });
}

/** Names of countries, and their codes. */
const countries = `
  France FR, Germany DE, Japan JP, Brazil BR, Norway NO, Peru PE, Egypt EG, Kenya KE, Canada CA,
  Italy IT, Greece GR, Chile CL, India IN, Poland PL, Cuba CU, Spain ES, Sweden SE, China CN,
  Mexico MX, Finland FI, Turkey TR, Ghana GH, Iran IR, Malta MT, Nepal NP, Oman OM, Qatar QA,
  Fiji FJ, Iraq IQ, Denmark DK, Portugal PT, Austria AT, Belgium BE, Ireland IE, Iceland IS,
  Hungary HU, Argentina AR, Australia AU, Thailand TH, Vietnam VN, Nigeria NG, Morocco MA,
  Russia RU, Ukraine UA, Israel IL, Jordan JO, Panama PA, Uruguay UY, Colombia CO, Ecuador EC,
  Switzerland CH, Netherlands NL, Romania RO, Bulgaria BG, Serbia RS, Croatia HR, Indonesia ID,
  Malaysia MY, Pakistan PK, Singapore SG`;

const abbreviate = signature({
  name: "abbreviate",
  instruction: "Abbreviate the name of the country.",
  input: { country: text("question") },
  output: { short: text("answer") },
});

/** What an instruction decides: its first one does not say that two letters are wanted. */
export function countryCodes(): Study {
  const examples = countries.split(",").map((one, index): Example => {
    const [country, code] = one.trim().split(" ");
    return { id: `c${index}`, input: { country }, labels: { code } };
  });
  return study({
    name: "countries",
    program: program({
      name: "countries",
      version: "1",
      input: abbreviate.input,
      output: abbreviate.output,
      predictors: { abbreviate: predict(abbreviate) },
      forward: (given, { predictors }) => predictors.abbreviate(given),
    }) as Study["program"],
    trainset: trainset<unknown, unknown>({
      name: "countries",
      version: "1",
      licence: "CC0-1.0",
      source: "own writing",
      splits: {
        train: examples.slice(0, 15),
        val: examples.slice(15, 30),
        test: examples.slice(30),
      },
    }),
    objective: exact("short", "code"),
  });
}

function exact(output: string, label = output): Study["objective"] {
  return metric<unknown, unknown, unknown>({
    name: "exact",
    version: "1",
    score: (given) => {
      const got = (given.output as Record<string, unknown>)[output];
      const right = (given.example.labels as Record<string, unknown>)[label];
      return got === right ? scored(1, "Right.") : scored(0, `Should be "${String(right)}".`);
    },
  });
}
