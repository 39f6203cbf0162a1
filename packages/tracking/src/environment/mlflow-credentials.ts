/** How to be let in by an MLflow server. */
export interface MlflowCredentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** From the variables that MLflow's own clients read; none of it is ever written. */
export function mlflowCredentials(
  variables: Readonly<Record<string, string | undefined>>,
): MlflowCredentials {
  const { MLFLOW_TRACKING_TOKEN: token } = variables;
  const { MLFLOW_TRACKING_USERNAME: user, MLFLOW_TRACKING_PASSWORD: password } = variables;
  // An empty one is none.
  if (user && password) {
    const pair = Buffer.from(`${user}:${password}`).toString("base64");
    return { headers: { authorization: `Basic ${pair}` }, secrets: [password] };
  }
  if (!token) return { headers: {}, secrets: [] };
  return { headers: { authorization: `Bearer ${token}` }, secrets: [token] };
}
