import type { JSX } from "preact";
import type { ComparedSpending } from "../../../../report/index.ts";
import { wholeNumber } from "../../data/figure.ts";

/** What each role asked for, and what of it went to a server. */
export function Spending({
  spending: { used, billed },
}: {
  readonly spending: ComparedSpending;
}): JSX.Element | null {
  const asked = new Map(Object.entries(used));
  const sent = new Map(Object.entries(billed));
  const roles = [...new Set([...asked.keys(), ...sent.keys()])];
  if (roles.length === 0) return null;
  const columns = ["Calls", "Prompt tokens", "Completion tokens", "Calls to a server"];
  return (
    <section>
      <h2>Cost by role</h2>
      <div class="wide" tabIndex={0} role="region" aria-label="Cost by role">
        <table>
          <thead>
            <tr>
              <th scope="col">Role</th>
              {columns.map((column) => (
                <th key={column} scope="col" class="number">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {roles.map((role) => {
              const usage = asked.get(role);
              return (
                <tr key={role}>
                  <th scope="row">{role}</th>
                  {[
                    usage?.calls,
                    usage?.promptTokens,
                    usage?.completionTokens,
                    sent.get(role)?.calls,
                  ].map((value, column) => (
                    <td key={columns[column]} class="number">
                      {value === undefined ? "–" : wholeNumber(value)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
