"""A client that knows of the API only what its document says: it looks operations up by their names."""

from typing import Any
from urllib.parse import urlencode

from flask import Flask
from jsonschema_rs import Draft202012Validator
from werkzeug.test import TestResponse

from tests.web.browsers import Browser


class DocumentedClient:
    """Sends operations as the document describes them, and compares what it sends and is answered with it."""

    def __init__(self, app: Flask, token: str) -> None:
        self._client = Browser(app, app.response_class)
        self._token = token
        self.document = self._client.get("/api/v1/openapi.json").get_json()
        self._validators: dict[str, Draft202012Validator] = {}
        self.done = set[str]()

    def call(self, name: str, body: Any = None, seq: int | None = None, **values: Any) -> TestResponse:
        """The answer to one operation; `values` are those of its address."""
        method, path, operation = next(
            (method, path, operation)
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
            if operation["operationId"] == name
        )
        shared, stated = self.document["components"]["parameters"], operation["parameters"]
        parameters = (shared[part["$ref"].rsplit("/")[-1]] if "$ref" in part else part for part in stated)
        places = {part["name"]: part["in"] for part in parameters}
        query = {key: value for key, value in values.items() if places[key] == "query"}
        headers = {"Authorization": f"Bearer {self._token}"}
        headers |= {"If-Match": f'"{seq}"'} if seq is not None and "If-Match" in places else {}
        if body is not None:
            self._check(operation["requestBody"]["content"]["application/json"]["schema"], body)
        address = f"/api/v1{path.format(**values)}" + (f"?{urlencode(query)}" if query else "")
        answer = self._client.open(address, method=method.upper(), json=body, headers=headers)
        described = operation["responses"].get(str(answer.status_code), operation["responses"]["default"])
        content = described.get("content", {}).get(answer.mimetype)
        if content is not None and answer.is_json:
            self._check(content["schema"], answer.get_json())
        self.done.add(name)
        return answer

    def _check(self, schema: dict[str, Any], value: Any) -> None:
        key = str(schema)
        if key not in self._validators:
            whole = {**schema, "components": self.document["components"]}
            self._validators[key] = Draft202012Validator(whole)
        wrong = next(self._validators[key].iter_errors(value), None)
        if wrong is not None:  # its own text has the whole document
            raise AssertionError(f"{wrong.message[:500]}, at {wrong.instance_path} of {str(value)[:500]}")
