/** How a predictor answers: at once, after reasoning, or with tools over several turns. */
export const predictorKinds = ["predict", "reason", "agent"] as const;

export type PredictorKind = (typeof predictorKinds)[number];
