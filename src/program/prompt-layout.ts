/** Changes whenever the same predictor would render other messages from the same inputs. */
export const promptLayout = 1;
