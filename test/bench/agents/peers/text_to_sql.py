"""`programs/text-to-sql` with DSPy's ReAct."""

from typing import Callable

import dspy


class AskDatabase(dspy.Signature):
    """Write the SQL query that answers the question."""

    question: str = dspy.InputField(desc="The question about what the database holds.")
    sql: str = dspy.OutputField(desc="One SQL query for SQLite.")


MOST_ROWS = 20


def text_to_sql(schema: str, rows_of: Callable[[str], list[tuple]]) -> dspy.Module:
    def list_tables() -> str:
        """Shows the tables of the database."""
        return schema

    def run_sql(sql: str) -> dict:
        """Runs an SQL query and shows its rows."""
        rows = [[str(value) for value in row] for row in rows_of(sql)]
        return {"rows": rows[:MOST_ROWS], "count": len(rows)}

    tools = [list_tables, dspy.Tool(run_sql, arg_desc={"sql": "One SELECT."})]
    return dspy.ReAct(AskDatabase, tools=tools, max_iters=4)
