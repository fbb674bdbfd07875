"""Runs what the test asks for, with the client for Python: a JSON object per line in, one per line out."""
import datetime
import decimal
import json
import ssl
import sys

import vigia

setup = json.loads(sys.stdin.readline())
attempts = []
wrong = None
try:
    client = vigia.VigiaClient(
        setup["url"],
        setup["clientId"],
        setup["clientSecret"],
        timeout=setup["timeoutMs"] / 1000,
        on_attempt=attempts.append,
        proxy=setup.get("proxy"),
        tls=ssl.create_default_context(cafile=setup["ca"]) if "ca" in setup else None,
    )
except vigia.VigiaError as error:
    wrong = error


def with_python_values(body):
    """Money and time as programs in Python have them."""
    occurred_at = datetime.datetime.fromisoformat(body["occurredAt"].replace("Z", "+00:00"))
    return {**body, "amount": decimal.Decimal(body["amount"]), "occurredAt": occurred_at}


STEPS = {
    "ingest": lambda body: client.ingest(body),
    "ingestExact": lambda body: client.ingest(with_python_values(body)),
    "ingestBatch": lambda bodies: client.ingest_batch(bodies),
    "ingestAndWait": lambda body: client.ingest_and_wait(body),
    "transaction": lambda transaction_id: client.transaction(transaction_id),
    "createEndpoint": lambda body: client.create_endpoint(body),
    "endpoints": lambda _: list(client.endpoints()),
    "deliveries": lambda query: list(client.deliveries(**query)),
    "events": lambda cursor: [{"event": one.event, "cursor": one.cursor} for one in client.events(cursor)],
    "post": lambda path: client.send("POST", path, body={})["data"],
    "verify": lambda given: vigia.verify_webhook(
        given["headers"], given["body"].encode(), given["secret"], now=given["now"]
    ),
}

for line in sys.stdin:
    asked = json.loads(line)
    attempts.clear()
    try:
        if wrong:
            raise wrong
        said = {"value": STEPS[asked["step"]](asked["given"])}
    except vigia.VigiaError as error:
        said = {
            "error": type(error).__name__,
            "message": str(error),
            "code": getattr(error, "code", None),
            "details": getattr(error, "details", None),
        }
    pauses = [one.retry_in for one in attempts if one.retry_in is not None]
    said.update(attempts=len(attempts), pausesMs=[1000 * one for one in pauses])
    print(json.dumps(said), flush=True)
