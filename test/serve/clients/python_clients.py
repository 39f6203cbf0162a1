"""What OpenAI's Python client and LiteLLM get from a server, as one line of JSON."""

import json
import sys

import litellm
from openai import APIStatusError, OpenAI
from pydantic import BaseModel

url = sys.argv[1]
client = OpenAI(base_url=url, api_key="none", max_retries=0)
asked = [{"role": "user", "content": "Where?"}]


class Invoice(BaseModel):
    vendor: str
    total: float


def streamed_chat():
    stream = client.chat.completions.create(
        model="towns/answerer", messages=asked, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    return {"text": text, "tokens": chunks[-1].usage.total_tokens}


def streamed_response():
    with client.responses.stream(model="towns/answerer", input="Where?") as stream:
        text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
        return {"text": text, "whole": stream.get_final_response().output_text}


def refused():
    try:
        client.chat.completions.create(
            model="at-once",
            messages=asked,
            tools=[{"type": "function", "function": {"name": "f", "parameters": {}}}],
        )
    except APIStatusError as error:
        return {"status": error.status_code, "code": error.code, "param": error.param}


def lite(**options):
    return litellm.completion(
        model="openai/towns/answerer",
        messages=asked,
        api_base=url,
        api_key="none",
        num_retries=0,
        **options,
    )


parsed = client.chat.completions.parse(
    model="invoices", messages=[{"role": "user", "content": "Flour"}], response_format=Invoice
)
response = client.responses.parse(model="invoices", input="Flour", text_format=Invoice)
lite_stream = "".join(chunk.choices[0].delta.content or "" for chunk in lite(stream=True))
lite_response = litellm.responses(
    model="openai/towns/answerer", input="Where?", api_base=url, api_key="none", num_retries=0
)
print(
    json.dumps(
        {
            "models": [model.id for model in client.models.list()],
            "model": client.models.retrieve("towns/answerer").id,
            "chat": client.chat.completions.create(model="towns/answerer", messages=asked)
            .choices[0]
            .message.content,
            "streamedChat": streamed_chat(),
            "response": client.responses.create(model="towns/answerer", input="Where?").output_text,
            "streamedResponse": streamed_response(),
            "parsedChat": parsed.choices[0].message.parsed.model_dump(),
            "parsedResponse": response.output_parsed.model_dump(),
            "refused": refused(),
            "liteLlm": lite().choices[0].message.content,
            "liteLlmStream": lite_stream,
            "liteLlmResponse": lite_response.output[-1].content[0].text,
            "liteLlmTokens": lite().usage.total_tokens,
        }
    )
)
