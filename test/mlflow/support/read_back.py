"""Prints what MLflow's own client reads of an experiment, as JSON: read_back.py URL EXPERIMENT."""

import json
import logging
import sys

import mlflow

logging.disable(logging.WARNING)
url, name = sys.argv[1:]
mlflow.set_tracking_uri(url)
client = mlflow.MlflowClient()
experiment = client.get_experiment_by_name(name).experiment_id


def trace_of(trace):
    root = trace.data.spans[0]
    return {
        "id": trace.info.trace_id,
        "state": trace.info.state.value,
        "startedAtMs": trace.info.request_time,
        "inputs": root.inputs,
        "outputs": root.outputs,
        "tokens": trace.info.token_usage,
        "spans": [
            {
                "name": span.name,
                "type": span.span_type,
                "startNs": span.start_time_ns,
                "endNs": span.end_time_ns,
                "isRoot": span.parent_id is None,
            }
            for span in trace.data.spans
        ],
        "assessments": sorted(
            ({
                "name": a.name,
                "value": (a.feedback or a.expectation).value,
                "rationale": a.rationale,
                "source": a.source.source_type,
            }
            for a in trace.info.assessments),
            key=lambda assessment: assessment["name"],
        ),
    }


def run_of(run):
    traces = mlflow.search_traces(
        locations=[experiment], run_id=run.info.run_id, return_type="list", max_results=1000
    )
    return {
        "id": run.info.run_id,
        "name": run.info.run_name,
        "status": run.info.status,
        "parent": run.data.tags.get("mlflow.parentRunId"),
        "type": run.data.tags.get("mlflow.runType"),
        "tags": {k: v for k, v in run.data.tags.items() if k.startswith("espalier.")},
        "params": run.data.params,
        "metrics": run.data.metrics,
        "best": [
            [metric.step, metric.value]
            for metric in client.get_metric_history(run.info.run_id, "best")
        ],
        "datasets": [given.dataset.name for given in run.inputs.dataset_inputs],
        "artifacts": sorted(file.path for file in client.list_artifacts(run.info.run_id)),
        "traces": [trace_of(trace) for trace in traces],
    }


def prompt_of(name):
    prompt = mlflow.genai.load_prompt(f"prompts:/{name}@candidate")
    return {"name": name, "version": prompt.version, "text": prompt.template}


print(
    json.dumps(
        {
            "runs": [run_of(run) for run in client.search_runs([experiment], max_results=1000)],
            "traces": [
                trace_of(trace)
                for trace in mlflow.search_traces(
                    locations=[experiment], return_type="list", max_results=1000
                )
                if "mlflow.sourceRun" not in trace.info.trace_metadata
            ],
            "prompts": [prompt_of(prompt.name) for prompt in mlflow.genai.search_prompts()],
        }
    )
)
