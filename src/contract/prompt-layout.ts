/** Increases whenever the same predictor would render different messages from the same inputs. */
export const promptLayout = 4;
