"""`programs/react-research` with DSPy's ReAct."""

import ast
import operator
from typing import Callable

import dspy


class ResearchQuestion(dspy.Signature):
    """Answer the question."""

    question: str = dspy.InputField(desc="The question to be answered.")
    answer: str = dspy.OutputField(desc="The answer, as short as possible.")


OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
}


def value_of(node: ast.AST) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](value_of(node.left), value_of(node.right))
    if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](value_of(node.operand))
    raise ValueError(f"Unexpected: {ast.unparse(node)}")


def calculator(expression: str) -> float:
    """Works out an arithmetic expression."""
    return value_of(ast.parse(expression, mode="eval").body)


def react_research(search: Callable[[str], list[dict]], max_steps: int = 4) -> dspy.Module:
    def find_passages(query: str) -> str:
        """Finds passages of the shelves."""
        found = search(query)
        return "\n\n".join(f"[{p['id']}] {p.get('title', '')}\n{p['text']}" for p in found)

    tools = [
        dspy.Tool(find_passages, arg_desc={"query": "What to find, in a few words."}),
        dspy.Tool(
            calculator,
            arg_desc={"expression": "Numbers, + - * / and brackets: (12 + 7) * 3."},
        ),
    ]
    return dspy.ReAct(ResearchQuestion, tools=tools, max_iters=max_steps)
