"""What Python's clients get from a server: `{ client: { feature: result } }` as one line of JSON.

Arguments: the server's address, a key, and what to ask, as JSON (see `features.ts`).
"""

import json
import sys

import litellm
import openai
from openai import OpenAI
from pydantic import BaseModel

url, key, given = sys.argv[1:]
asked = json.loads(given)
WEATHER = asked["weatherTool"]
FUNCTION = {name: WEATHER[name] for name in ("name", "description", "parameters")}
CHAT_TOOLS = [{"type": "function", "function": FUNCTION}]
RESPONSE_TOOLS = [{"type": "function", **FUNCTION, "strict": True}]
client = OpenAI(base_url=url, api_key=key, max_retries=0)
stranger = OpenAI(base_url=url, api_key="wrong", max_retries=0)


class Invoice(BaseModel):
    vendor: str
    total: float


def said(text):
    return [{"role": "user", "content": text}]


def conversation():
    before = asked["before"]
    answer = {"role": "assistant", "content": before["answer"]}
    return [*said(before["question"]), answer, *said(asked["question"])]


def weather(arguments):
    return asked["weatherIn"][json.loads(arguments)["town"]]


def joined(pieces):
    heard = [piece for piece in pieces if piece]
    return {"text": "".join(heard), "isInPieces": len(heard) > 1}


def read_object(pieces):
    return Invoice.model_validate_json("".join(piece for piece in pieces if piece)).model_dump()


def status_of(request):
    try:
        request()
    except openai.APIStatusError as error:
        return error.status_code
    return "taken"


def refusal_of(request):
    try:
        request()
    except openai.APIStatusError as error:
        sentence = asked["refusal"]
        return sentence if sentence in str(error) else str(error)
    return "taken"


def chat_loop(ask):
    """Answers calls of tools until there are none. `ask` gives a message."""
    messages, calls = said(asked["weather"]), []
    while True:
        message = ask(messages)
        if not message.tool_calls:
            return {"calls": calls, "text": message.content}
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            arguments = call.function.arguments
            calls.append(json.loads(arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": weather(arguments)})


def response_loop(ask):
    """The same over responses. `ask` gives a response."""
    items, calls = said(asked["weather"]), []
    while True:
        response = ask(items)
        made = [item for item in response.output if item.type == "function_call"]
        if not made:
            return {"calls": calls, "text": text_of(response)}
        items += [item.model_dump(exclude_none=True) for item in response.output]
        for call in made:
            calls.append(json.loads(call.arguments))
            output = {"call_id": call.call_id, "output": weather(call.arguments)}
            items.append({"type": "function_call_output", **output})


def text_of(response):
    return response.output[-1].content[0].text


def openai_models():
    listed = [model.id for model in client.models.list()]
    return {"listed": listed, "retrieved": client.models.retrieve("towns/answerer").id}


def openai_chat():
    completions = client.chat.completions

    def ask(model, messages, **options):
        return completions.create(model=model, messages=messages, **options)

    def answer():
        reply = ask("towns/answerer", said(asked["question"]))
        tokens = [reply.usage.prompt_tokens, reply.usage.completion_tokens]
        return {"text": reply.choices[0].message.content, "tokens": tokens}

    def streamed(**options):
        with completions.stream(**options) as stream:
            return stream.get_final_completion().choices[0].message

    def streamed_object():
        options = {"model": "invoices", "messages": said(asked["invoice"])}
        with completions.stream(**options, response_format=Invoice) as stream:
            return read_object(event.delta for event in stream if event.type == "content.delta")

    image = [
        {"type": "text", "text": asked["sign"]},
        {"type": "image_url", "image_url": {"url": asked["redSign"]}},
    ]
    question = said(asked["question"])
    return {
        "models": openai_models,
        "answer": answer,
        "stream": lambda: joined(
            chunk.choices[0].delta.content
            for chunk in ask("towns/answerer", question, stream=True)
        ),
        "conversation": lambda: ask("towns/answerer", conversation()).choices[0].message.content,
        "object": lambda: completions.parse(
            model="invoices", messages=said(asked["invoice"]), response_format=Invoice
        )
        .choices[0]
        .message.parsed.model_dump(),
        "streamedObject": streamed_object,
        "image": lambda: ask("signs", said(image)).choices[0].message.content,
        "toolsRefused": lambda: refusal_of(lambda: ask("at-once", question, tools=CHAT_TOOLS)),
        "tools": lambda: chat_loop(
            lambda messages: ask("reporter", messages, tools=CHAT_TOOLS).choices[0].message
        ),
        "streamedTools": lambda: chat_loop(
            lambda messages: streamed(model="reporter", messages=messages, tools=CHAT_TOOLS)
        ),
        "badKey": lambda: status_of(
            lambda: stranger.chat.completions.create(model="at-once", messages=question)
        ),
        "unknownModel": lambda: status_of(lambda: ask("nobody", question)),
    }


def openai_responses():
    responses = client.responses
    question = asked["question"]

    def ask(model, given, **options):
        return responses.create(model=model, input=given, **options)

    def answer():
        reply = ask("towns/answerer", question)
        tokens = [reply.usage.input_tokens, reply.usage.output_tokens]
        return {"text": reply.output_text, "tokens": tokens}

    def deltas(**options):
        with responses.stream(**options) as stream:
            for event in stream:
                if event.type == "response.output_text.delta":
                    yield event.delta

    def streamed(given):
        options = {"model": "reporter", "input": given, "tools": RESPONSE_TOOLS}
        with responses.stream(**options) as stream:
            return stream.get_final_response()

    image = [
        {"type": "input_text", "text": asked["sign"]},
        {"type": "input_image", "image_url": asked["redSign"], "detail": "auto"},
    ]
    return {
        "models": openai_models,
        "answer": answer,
        "stream": lambda: joined(deltas(model="towns/answerer", input=question)),
        "conversation": lambda: ask("towns/answerer", conversation()).output_text,
        "object": lambda: responses.parse(
            model="invoices", input=asked["invoice"], text_format=Invoice
        ).output_parsed.model_dump(),
        "streamedObject": lambda: read_object(
            deltas(model="invoices", input=asked["invoice"], text_format=Invoice)
        ),
        "image": lambda: ask("signs", said(image)).output_text,
        "toolsRefused": lambda: refusal_of(
            lambda: ask("at-once", question, tools=RESPONSE_TOOLS)
        ),
        "tools": lambda: response_loop(
            lambda items: ask("reporter", items, tools=RESPONSE_TOOLS)
        ),
        "streamedTools": lambda: response_loop(streamed),
        "badKey": lambda: status_of(
            lambda: stranger.responses.create(model="at-once", input=question)
        ),
        "unknownModel": lambda: status_of(lambda: ask("nobody", question)),
    }


def lite_options(model, api_key=key):
    return {
        "model": f"openai/{model}",
        "api_base": url,
        "api_key": api_key,
        "num_retries": 0,
        "max_retries": 0,
    }


def lite_models():
    found = litellm.get_valid_models(
        check_provider_endpoint=True, custom_llm_provider="openai", api_base=url, api_key=key
    )
    # It has no call for one model.
    return {"listed": [each.removeprefix("openai/") for each in found], "retrieved": None}


def lite_chat():
    def ask(model, messages, **options):
        return litellm.completion(**lite_options(model), messages=messages, **options)

    def answer():
        reply = ask("towns/answerer", said(asked["question"]))
        tokens = [reply.usage.prompt_tokens, reply.usage.completion_tokens]
        return {"text": reply.choices[0].message.content, "tokens": tokens}

    def pieces(model, messages, **options):
        for chunk in ask(model, messages, stream=True, **options):
            yield chunk.choices[0].delta.content

    def streamed(messages):
        chunks = list(ask("reporter", messages, stream=True, tools=CHAT_TOOLS))
        return litellm.stream_chunk_builder(chunks, messages=messages).choices[0].message

    image = [
        {"type": "text", "text": asked["sign"]},
        {"type": "image_url", "image_url": {"url": asked["redSign"]}},
    ]
    question, invoice = said(asked["question"]), said(asked["invoice"])
    return {
        "models": lite_models,
        "answer": answer,
        "stream": lambda: joined(pieces("towns/answerer", question)),
        "conversation": lambda: ask("towns/answerer", conversation()).choices[0].message.content,
        "object": lambda: Invoice.model_validate_json(
            ask("invoices", invoice, response_format=Invoice).choices[0].message.content
        ).model_dump(),
        "streamedObject": lambda: read_object(pieces("invoices", invoice, response_format=Invoice)),
        "image": lambda: ask("signs", said(image)).choices[0].message.content,
        "toolsRefused": lambda: refusal_of(lambda: ask("at-once", question, tools=CHAT_TOOLS)),
        "tools": lambda: chat_loop(
            lambda messages: ask("reporter", messages, tools=CHAT_TOOLS).choices[0].message
        ),
        "streamedTools": lambda: chat_loop(streamed),
        "badKey": lambda: status_of(
            lambda: litellm.completion(**lite_options("at-once", "wrong"), messages=question)
        ),
        "unknownModel": lambda: status_of(lambda: ask("nobody", question)),
    }


def lite_responses():
    question = asked["question"]
    text = {
        "format": {
            "type": "json_schema",
            "name": "invoice",
            "schema": {**Invoice.model_json_schema(), "additionalProperties": False},
            "strict": True,
        }
    }

    def ask(model, given, **options):
        return litellm.responses(**lite_options(model), input=given, **options)

    def answer():
        reply = ask("towns/answerer", question)
        tokens = [reply.usage.input_tokens, reply.usage.output_tokens]
        return {"text": text_of(reply), "tokens": tokens}

    def deltas(model, given, **options):
        for event in ask(model, given, stream=True, **options):
            if event.type == "response.output_text.delta":
                yield event.delta

    def streamed(items):
        for event in ask("reporter", items, stream=True, tools=RESPONSE_TOOLS):
            if event.type == "response.completed":
                return event.response

    image = [
        {"type": "input_text", "text": asked["sign"]},
        {"type": "input_image", "image_url": asked["redSign"], "detail": "auto"},
    ]
    return {
        "models": lite_models,
        "answer": answer,
        "stream": lambda: joined(deltas("towns/answerer", question)),
        "conversation": lambda: text_of(ask("towns/answerer", conversation())),
        "object": lambda: Invoice.model_validate_json(
            text_of(ask("invoices", asked["invoice"], text=text))
        ).model_dump(),
        "streamedObject": lambda: read_object(deltas("invoices", asked["invoice"], text=text)),
        "image": lambda: text_of(ask("signs", said(image))),
        "toolsRefused": lambda: refusal_of(
            lambda: ask("at-once", question, tools=RESPONSE_TOOLS)
        ),
        "tools": lambda: response_loop(
            lambda items: ask("reporter", items, tools=RESPONSE_TOOLS)
        ),
        "streamedTools": lambda: response_loop(streamed),
        "badKey": lambda: status_of(
            lambda: litellm.responses(**lite_options("at-once", "wrong"), input=question)
        ),
        "unknownModel": lambda: status_of(lambda: ask("nobody", question)),
    }


def tried(run):
    """A client that fails at one thing is still tried with the others."""
    try:
        return run()
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"


clients = {
    "`openai`, Python: chat completions": openai_chat,
    "`openai`, Python: responses": openai_responses,
    "LiteLLM: chat completions": lite_chat,
    "LiteLLM: responses": lite_responses,
}
print(
    json.dumps(
        {
            name: {feature: tried(run) for feature, run in make().items()}
            for name, make in clients.items()
        }
    )
)
