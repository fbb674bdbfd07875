# Written by `npm run console:types` from the OpenAPI document for integrators.
from typing import Any, Literal, Optional, TypedDict, Union, TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal
    from typing_extensions import NotRequired

RequestFaultView = TypedDict(
    "RequestFaultView",
    {
        "path": "str",
        "code": "str",
    },
)

LoggedRequestView = TypedDict(
    "LoggedRequestView",
    {
        "requestId": "str",
        "correlationId": "str",
        "at": "str",
        "method": "str",
        "route": "str",
        "status": "int",
        "code": "Optional[str]",
        "durationMs": "float",
        "bytesIn": "Optional[int]",
        "fields": "list[str]",
        "faults": "list[RequestFaultView]",
    },
)

PageInfoView = TypedDict(
    "PageInfoView",
    {
        "limit": "int",
        "nextCursor": "Optional[str]",
        "hasMore": "bool",
    },
)

TextPositionView = TypedDict(
    "TextPositionView",
    {
        "start": "int",
        "end": "int",
        "line": "int",
        "column": "int",
    },
)

ErrorDetailView = TypedDict(
    "ErrorDetailView",
    {
        "path": "str",
        "code": "str",
        "message": "str",
        "position": "NotRequired[TextPositionView]",
        "expected": "NotRequired[str]",
        "found": "NotRequired[str]",
        "suggestion": "NotRequired[str]",
    },
)

DeliveryView = TypedDict(
    "DeliveryView",
    {
        "id": "str",
        "eventId": "str",
        "eventType": "Literal[\"kyt.transaction.queued\", \"kyt.transaction.pipeline.completed\", \"kyt.transaction.dead_lettered\", \"session.created\", \"session.completed\", \"session.reopened\", \"customer.identified\"]",
        "sequence": "int",
        "endpointId": "str",
        "status": "Literal[\"PENDING\", \"SENDING\", \"DELIVERED\", \"EXHAUSTED\", \"CANCELLED\"]",
        "attempts": "int",
        "lastStatusCode": "Optional[int]",
        "lastError": "Optional[str]",
        "nextAttemptAt": "Optional[str]",
        "createdAt": "str",
        "finishedAt": "Optional[str]",
    },
)

AttemptView = TypedDict(
    "AttemptView",
    {
        "number": "int",
        "startedAt": "str",
        "durationMs": "int",
        "statusCode": "Optional[int]",
        "errorCode": "Optional[str]",
        "responseExcerpt": "Optional[str]",
    },
)

DeliveryDetailView = TypedDict(
    "DeliveryDetailView",
    {
        "id": "str",
        "eventId": "str",
        "eventType": "Literal[\"kyt.transaction.queued\", \"kyt.transaction.pipeline.completed\", \"kyt.transaction.dead_lettered\", \"session.created\", \"session.completed\", \"session.reopened\", \"customer.identified\"]",
        "sequence": "int",
        "endpointId": "str",
        "status": "Literal[\"PENDING\", \"SENDING\", \"DELIVERED\", \"EXHAUSTED\", \"CANCELLED\"]",
        "attempts": "int",
        "lastStatusCode": "Optional[int]",
        "lastError": "Optional[str]",
        "nextAttemptAt": "Optional[str]",
        "createdAt": "str",
        "finishedAt": "Optional[str]",
        "log": "list[AttemptView]",
        "payload": "Optional[dict[str, Any]]",
    },
)

EndpointView = TypedDict(
    "EndpointView",
    {
        "id": "str",
        "clientAppId": "str",
        "url": "str",
        "description": "Optional[str]",
        "eventTypes": "list[Literal[\"kyt.transaction.queued\", \"kyt.transaction.pipeline.completed\", \"kyt.transaction.dead_lettered\", \"session.created\", \"session.completed\", \"session.reopened\", \"customer.identified\"]]",
        "ordering": "Literal[\"none\", \"per_resource\"]",
        "status": "Literal[\"ACTIVE\", \"PAUSED\", \"DISABLED\"]",
        "statusReason": "Optional[str]",
        "failingSince": "Optional[str]",
        "heldUntil": "Optional[str]",
        "previousSecretExpiresAt": "Optional[str]",
        "olderSecretsExpireAt": "list[str]",
        "createdAt": "str",
        "updatedAt": "str",
    },
)

EndpointSecretView = TypedDict(
    "EndpointSecretView",
    {
        "endpoint": "EndpointView",
        "secret": "str",
    },
)

CreateEndpointBody = TypedDict(
    "CreateEndpointBody",
    {
        "url": "str",
        "eventTypes": "NotRequired[list[Literal[\"kyt.transaction.queued\", \"kyt.transaction.pipeline.completed\", \"kyt.transaction.dead_lettered\", \"session.created\", \"session.completed\", \"session.reopened\", \"customer.identified\"]]]",
        "ordering": "NotRequired[Literal[\"none\", \"per_resource\"]]",
        "description": "NotRequired[Optional[str]]",
    },
)

ChangeEndpointBody = TypedDict(
    "ChangeEndpointBody",
    {
        "url": "NotRequired[str]",
        "eventTypes": "NotRequired[list[Literal[\"kyt.transaction.queued\", \"kyt.transaction.pipeline.completed\", \"kyt.transaction.dead_lettered\", \"session.created\", \"session.completed\", \"session.reopened\", \"customer.identified\"]]]",
        "ordering": "NotRequired[Literal[\"none\", \"per_resource\"]]",
        "description": "NotRequired[Optional[str]]",
    },
)

PauseEndpointBody = TypedDict(
    "PauseEndpointBody",
    {
        "reason": "NotRequired[str]",
    },
)

DisableEndpointBody = TypedDict(
    "DisableEndpointBody",
    {
        "reason": "str",
    },
)

RotateEndpointSecretBody = TypedDict(
    "RotateEndpointSecretBody",
    {
        "overlapSeconds": "NotRequired[int]",
    },
)

TestEventView = TypedDict(
    "TestEventView",
    {
        "eventId": "str",
        "deliveryId": "str",
    },
)

TestEventBody = TypedDict(
    "TestEventBody",
    {
        "type": "NotRequired[Literal[\"kyt.transaction.queued\", \"kyt.transaction.pipeline.completed\", \"kyt.transaction.dead_lettered\", \"session.created\", \"session.completed\", \"session.reopened\", \"customer.identified\"]]",
    },
)

EndpointDurationsView = TypedDict(
    "EndpointDurationsView",
    {
        "attempts": "int",
        "p50Ms": "Optional[int]",
        "p95Ms": "Optional[int]",
        "p99Ms": "Optional[int]",
    },
)

EndpointHourView = TypedDict(
    "EndpointHourView",
    {
        "hour": "str",
        "attempts": "int",
        "delivered": "int",
        "failedAttempts": "int",
        "exhausted": "int",
        "cancelled": "int",
        "averageMs": "Optional[int]",
        "slowestMs": "int",
        "successRate": "Optional[float]",
    },
)

EndpointStatisticsView = TypedDict(
    "EndpointStatisticsView",
    {
        "waiting": "int",
        "waitingSince": "Optional[str]",
        "successRate": "Optional[float]",
        "durations": "EndpointDurationsView",
        "hours": "list[EndpointHourView]",
    },
)

RecoveryView = TypedDict(
    "RecoveryView",
    {
        "id": "str",
        "endpointId": "str",
        "since": "str",
        "until": "str",
        "beforeEndpoint": "bool",
        "types": "list[Literal[\"kyt.transaction.queued\", \"kyt.transaction.pipeline.completed\", \"kyt.transaction.dead_lettered\", \"session.created\", \"session.completed\", \"session.reopened\", \"customer.identified\"]]",
        "dryRun": "bool",
        "status": "Literal[\"QUEUED\", \"RUNNING\", \"COMPLETED\", \"CANCELLED\"]",
        "progress": "int",
        "events": "int",
        "recovered": "int",
        "createdAt": "str",
        "finishedAt": "Optional[str]",
    },
)

RecoverBody = TypedDict(
    "RecoverBody",
    {
        "since": "str",
        "until": "NotRequired[str]",
        "types": "NotRequired[list[Literal[\"kyt.transaction.queued\", \"kyt.transaction.pipeline.completed\", \"kyt.transaction.dead_lettered\", \"session.created\", \"session.completed\", \"session.reopened\", \"customer.identified\"]]]",
        "dryRun": "NotRequired[bool]",
    },
)

FeedPageInfoView = TypedDict(
    "FeedPageInfoView",
    {
        "limit": "int",
        "nextCursor": "Optional[str]",
        "hasMore": "bool",
    },
)

FeedView = TypedDict(
    "FeedView",
    {
        "data": "list[WebhookEnvelope]",
        "page": "FeedPageInfoView",
        "error": "Optional[None]",
    },
)

OneEventView = TypedDict(
    "OneEventView",
    {
        "data": "Optional[WebhookEnvelope]",
        "error": "Optional[None]",
    },
)

ProfileRowBody = TypedDict(
    "ProfileRowBody",
    {
        "externalCustomerId": "NotRequired[str]",
        "document": "NotRequired[str]",
        "name": "NotRequired[str]",
        "birthDate": "NotRequired[str]",
        "monthlyIncome": "NotRequired[float]",
        "monthlyRevenue": "NotRequired[float]",
        "occupation": "NotRequired[str]",
        "pep": "NotRequired[bool]",
        "riskLevel": "NotRequired[Literal[\"LOW\", \"MEDIUM\", \"HIGH\"]]",
        "relationshipSince": "NotRequired[str]",
        "segment": "NotRequired[str]",
        "asOf": "NotRequired[str]",
    },
)

RowProblemView = TypedDict(
    "RowProblemView",
    {
        "line": "int",
        "path": "str",
        "code": "str",
        "message": "str",
    },
)

ProfilesOutcomeView = TypedDict(
    "ProfilesOutcomeView",
    {
        "rows": "int",
        "created": "int",
        "changed": "int",
        "unchanged": "int",
        "problems": "list[RowProblemView]",
    },
)

ClientCustomerView = TypedDict(
    "ClientCustomerView",
    {
        "customerId": "str",
        "externalCustomerId": "Optional[str]",
        "externalCustomerIds": "list[str]",
        "documentMasked": "Optional[str]",
        "personType": "Optional[Literal[\"NATURAL\", \"LEGAL\"]]",
        "assurance": "Literal[\"DECLARED\", \"DOCUMENT\", \"VERIFIED\"]",
        "identifiedAt": "str",
    },
)

IssuedLinkView = TypedDict(
    "IssuedLinkView",
    {
        "sessionId": "str",
        "url": "str",
        "expiresAt": "str",
        "reference": "str",
    },
)

NewSessionBody = TypedDict(
    "NewSessionBody",
    {
        "flowKey": "str",
        "externalCustomerId": "NotRequired[str]",
        "customerId": "NotRequired[str]",
        "expiresInMinutes": "NotRequired[int]",
        "previousSessionId": "NotRequired[str]",
        "redirectUrl": "NotRequired[str]",
        "metadata": "NotRequired[dict[str, Any]]",
        "prefill": "NotRequired[dict[str, Any]]",
    },
)

EvidenceView = TypedDict(
    "EvidenceView",
    {
        "name": "Literal[\"TAX_ID\", \"PROFILE\", \"AGE\", \"PEP_DECLARATION\", \"LISTS\", \"DOCUMENT_QUALITY\", \"DOCUMENT_CODE\", \"DUPLICATE_ARTIFACT\", \"DOCUMENT\", \"FACE_MATCH\", \"LIVENESS\", \"DOCUMENT_DATA\", \"RECEITA\", \"ADDRESS\", \"CONTACT\", \"OWNERS\"]",
        "state": "Literal[\"HIT\", \"NO_HIT\", \"PARTIAL\", \"ERROR\", \"MISSING_INPUT\", \"SKIPPED\", \"STALE_SOURCE\"]",
        "required": "bool",
        "reason": "Optional[str]",
        "source": "str",
        "asOf": "str",
        "points": "int",
        "remarks": "list[str]",
    },
)

SessionResultView = TypedDict(
    "SessionResultView",
    {
        "outcome": "Literal[\"APPROVED\", \"REVIEW\", \"REJECTED\"]",
        "riskScore": "NotRequired[int]",
        "composition": "Literal[\"COMPLETE\", \"PARTIAL\", \"MISSING\", \"INCONSISTENT\"]",
        "defensible": "bool",
        "nonDefensibleReasons": "list[str]",
        "evidence": "list[EvidenceView]",
    },
)

SessionDecisionView = TypedDict(
    "SessionDecisionView",
    {
        "outcome": "Literal[\"APPROVED\", \"REJECTED\"]",
        "by": "Literal[\"PERSON\"]",
        "decidedAt": "str",
    },
)

SessionView = TypedDict(
    "SessionView",
    {
        "reference": "str",
        "sessionId": "Optional[str]",
        "url": "Optional[str]",
        "status": "Literal[\"PENDING\", \"PROCESSING\", \"COMPLETED\", \"EXPIRED\"]",
        "statusReason": "Optional[Literal[\"TIMEOUT\", \"CANCELLED\", \"CHECKED\"]]",
        "customerId": "str",
        "flowKey": "str",
        "flowVersion": "int",
        "flowName": "str",
        "trigger": "Literal[\"OPERATOR\", \"STEP_UP\", \"API\", \"COMPANY\", \"REVERIFICATION\"]",
        "transactionRef": "Optional[str]",
        "attempt": "int",
        "round": "int",
        "protocol": "str",
        "privacyNoticeVersion": "Optional[int]",
        "parentReference": "Optional[str]",
        "reusedReference": "Optional[str]",
        "metadata": "dict[str, Any]",
        "previousReference": "Optional[str]",
        "createdAt": "str",
        "expiresAt": "str",
        "submittedAt": "Optional[str]",
        "endedAt": "Optional[str]",
        "result": "Optional[SessionResultView]",
        "decision": "Optional[SessionDecisionView]",
    },
)

NotEvaluatedView = TypedDict(
    "NotEvaluatedView",
    {
        "ruleId": "str",
        "missing": "list[str]",
    },
)

ReceiptData = TypedDict(
    "ReceiptData",
    {
        "transactionId": "str",
        "status": "Literal[\"QUEUED\", \"PROCESSING\", \"COMPLETED\", \"DEAD_LETTERED\"]",
        "accepted": "bool",
        "duplicate": "bool",
        "requestId": "str",
        "correlationId": "str",
        "warnings": "NotRequired[list[str]]",
        "didYouMean": "NotRequired[str]",
        "originalRequestId": "NotRequired[str]",
    },
)

ReceiptView = TypedDict(
    "ReceiptView",
    {
        "data": "ReceiptData",
        "error": "Optional[None]",
    },
)

NextActionView = TypedDict(
    "NextActionView",
    {
        "type": "Literal[\"STEP_UP_SESSION\"]",
        "sessionId": "str",
        "url": "str",
        "expiresAt": "str",
    },
)

PersonsDecisionView = TypedDict(
    "PersonsDecisionView",
    {
        "outcome": "Literal[\"APPROVED\", \"REJECTED\"]",
        "by": "Literal[\"PERSON\"]",
        "decidedAt": "str",
        "singleControl": "bool",
    },
)

TransactionFailureView = TypedDict(
    "TransactionFailureView",
    {
        "code": "str",
        "stage": "str",
        "attempts": "float",
    },
)

TransactionData = TypedDict(
    "TransactionData",
    {
        "transactionId": "str",
        "status": "Literal[\"QUEUED\", \"PROCESSING\", \"COMPLETED\", \"DEAD_LETTERED\"]",
        "receivedAt": "str",
        "occurredAt": "str",
        "requestId": "str",
        "correlationId": "str",
        "warnings": "list[str]",
        "verdict": "Optional[Literal[\"RELEASE\", \"CHALLENGE\", \"HOLD\", \"DECLINE\"]]",
        "nextAction": "Optional[NextActionView]",
        "outcome": "Optional[Literal[\"APPROVED\", \"CHALLENGED\", \"REVIEW\", \"REJECTED\"]]",
        "recommendedAction": "Optional[Literal[\"NONE\", \"STEP_UP\", \"HOLD\", \"DECLINE\"]]",
        "riskScore": "Optional[float]",
        "riskLevel": "Optional[Literal[\"LOW\", \"MEDIUM\", \"HIGH\", \"CRITICAL\"]]",
        "defensible": "Optional[bool]",
        "composition": "Optional[Literal[\"COMPLETE\", \"PARTIAL\", \"MISSING\", \"INCONSISTENT\"]]",
        "components": "Optional[dict[str, Any]]",
        "nonDefensibleReasons": "list[str]",
        "notEvaluated": "list[NotEvaluatedView]",
        "exempt": "list[str]",
        "withoutInputs": "list[str]",
        "reasons": "list[dict[str, Any]]",
        "reviewRequired": "Optional[bool]",
        "reviewId": "Optional[str]",
        "decision": "Optional[PersonsDecisionView]",
        "groups": "list[dict[str, Any]]",
        "dampening": "int",
        "flags": "list[str]",
        "requestedActions": "list[dict[str, Any]]",
        "rulesetVersion": "Optional[str]",
        "rulesetHash": "Optional[str]",
        "evaluationVersion": "Optional[float]",
        "evaluatedAt": "Optional[str]",
        "receiptHash": "Optional[str]",
        "failure": "NotRequired[TransactionFailureView]",
    },
)

TransactionView = TypedDict(
    "TransactionView",
    {
        "data": "TransactionData",
        "error": "Optional[None]",
    },
)

PersonBehindBody = TypedDict(
    "PersonBehindBody",
    {
        "role": "Literal[\"OWNER\", \"REPRESENTATIVE\"]",
        "name": "str",
        "cpfCnpj": "NotRequired[Optional[str]]",
        "birthDate": "NotRequired[Optional[str]]",
        "nationality": "NotRequired[Optional[str]]",
    },
)

ParticipantBody = TypedDict(
    "ParticipantBody",
    {
        "name": "NotRequired[Optional[str]]",
        "cpfCnpj": "NotRequired[Optional[str]]",
        "accountReference": "NotRequired[Optional[str]]",
        "bankReference": "NotRequired[Optional[str]]",
        "walletReference": "NotRequired[Optional[str]]",
        "country": "NotRequired[Optional[str]]",
        "people": "NotRequired[Optional[list[PersonBehindBody]]]",
        "metadata": "NotRequired[Optional[dict[str, Any]]]",
    },
)

IngestTransactionBody = TypedDict(
    "IngestTransactionBody",
    {
        "transactionId": "str",
        "externalCustomerId": "NotRequired[Optional[str]]",
        "cpfCnpj": "NotRequired[Optional[str]]",
        "type": "str",
        "channel": "str",
        "amount": "Union[Decimal, int]",
        "currency": "str",
        "occurredAt": "str",
        "origin": "ParticipantBody",
        "destination": "ParticipantBody",
        "metadata": "NotRequired[Optional[dict[str, Any]]]",
    },
)

BatchSummary = TypedDict(
    "BatchSummary",
    {
        "accepted": "float",
        "duplicates": "float",
        "failed": "float",
    },
)

ErrorObjectView = TypedDict(
    "ErrorObjectView",
    {
        "code": "Literal[\"VALIDATION_FAILED\", \"MALFORMED_JSON\", \"UNSUPPORTED_VERSION\", \"STEPS_INCOMPLETE\", \"CURSOR_INVALID\", \"CREDENTIALS_MISSING\", \"CREDENTIALS_INVALID\", \"TOKEN_EXPIRED\", \"TOTP_REQUIRED\", \"APP_DISABLED\", \"SCOPE_INSUFFICIENT\", \"SANDBOX_ONLY\", \"IP_NOT_ALLOWED\", \"OPERATOR_DISABLED\", \"CSRF_TOKEN_INVALID\", \"PERMISSION_DENIED\", \"STRONG_LOGIN_REQUIRED\", \"FOUR_EYES_REQUIRED\", \"HTTPS_REQUIRED\", \"ROUTE_NOT_FOUND\", \"FILE_NOT_FOUND\", \"APP_NOT_FOUND\", \"OPERATOR_NOT_FOUND\", \"AUDIT_ENTRY_NOT_FOUND\", \"AUDIT_EXPORT_NOT_FOUND\", \"REPAIR_NOT_FOUND\", \"LOG_RESTART_NOT_FOUND\", \"SECRET_NOT_FOUND\", \"ENDPOINT_NOT_FOUND\", \"DELIVERY_NOT_FOUND\", \"RECOVERY_NOT_FOUND\", \"EVENT_NOT_FOUND\", \"IDENTITY_PROVIDER_NOT_CONFIGURED\", \"PASSKEYS_NOT_CONFIGURED\", \"PASSKEY_NOT_FOUND\", \"OPERATOR_SESSION_NOT_FOUND\", \"INVITATION_NOT_FOUND\", \"INVITATION_INVALID\", \"TRANSACTION_NOT_FOUND\", \"EVALUATION_NOT_FOUND\", \"DEAD_LETTER_NOT_FOUND\", \"APPROVAL_NOT_FOUND\", \"RULE_NOT_FOUND\", \"RULESET_NOT_FOUND\", \"BACKTEST_NOT_FOUND\", \"BACKFILL_NOT_FOUND\", \"LOOK_BACK_NOT_FOUND\", \"LIST_NOT_FOUND\", \"ENTRY_NOT_FOUND\", \"IMPORT_NOT_FOUND\", \"HIT_NOT_FOUND\", \"FREEZE_NOT_FOUND\", \"COMMUNICATION_NOT_FOUND\", \"ARTIFACT_NOT_FOUND\", \"SESSION_NOT_FOUND\", \"STEP_NOT_FOUND\", \"FLOW_NOT_FOUND\", \"PROVIDER_NOT_FOUND\", \"CUSTOMER_NOT_FOUND\", \"REVIEW_NOT_FOUND\", \"VIEW_NOT_FOUND\", \"SNOOZE_NOT_FOUND\", \"METHOD_NOT_ALLOWED\", \"NOT_ACCEPTABLE\", \"FEED_REWOUND\", \"TRANSACTION_ID_CONFLICT\", \"EVENT_ID_CONFLICT\", \"IDEMPOTENCY_IN_PROGRESS\", \"IDEMPOTENCY_OUTCOME_UNKNOWN\", \"IDEMPOTENCY_KEY_REUSED\", \"SESSION_ALREADY_SUBMITTED\", \"STATE_CONFLICT\", \"AUDIT_TRAIL_INCOMPLETE\", \"MANDATORY_REVIEW_OPEN\", \"RELATED_TRANSACTIONS_OPEN\", \"RETENTION_REQUIRED\", \"SESSION_EXPIRED\", \"FILE_TOO_LARGE\", \"QUOTA_EXCEEDED\", \"TOO_MANY_ARTIFACTS\", \"BODY_TOO_LARGE\", \"MEDIA_TYPE_UNSUPPORTED\", \"FILE_TYPE_UNSUPPORTED\", \"AUDIT_EXPORT_GONE\", \"RANGE_NOT_SATISFIABLE\", \"ARTIFACT_NOT_SHOWABLE\", \"ARTIFACT_GONE\", \"RATE_LIMITED\", \"HEADERS_TOO_LARGE\", \"MALFORMED_REQUEST\", \"REQUEST_TIMEOUT\", \"INTERNAL_ERROR\", \"OVERLOADED\", \"MAIL_UNAVAILABLE\", \"OUTCOME_UNKNOWN\", \"CUSTOM_FIELDS_ALTERED\", \"NOT_READY\"]",
        "message": "str",
        "details": "list[ErrorDetailView]",
        "requestId": "str",
        "correlationId": "str",
        "retryable": "bool",
        "docs": "str",
    },
)

BatchItemView = TypedDict(
    "BatchItemView",
    {
        "index": "float",
        "status": "float",
        "data": "Optional[Any]",
        "error": "Optional[ErrorObjectView]",
    },
)

BatchData = TypedDict(
    "BatchData",
    {
        "summary": "BatchSummary",
        "results": "list[BatchItemView]",
    },
)

BatchView = TypedDict(
    "BatchView",
    {
        "data": "BatchData",
        "error": "Optional[None]",
    },
)

TransactionEventsView = TypedDict(
    "TransactionEventsView",
    {
        "data": "list[WebhookEnvelope]",
        "error": "Optional[None]",
    },
)

CustomerEventBody = TypedDict(
    "CustomerEventBody",
    {
        "eventId": "str",
        "type": "Literal[\"LOGIN\", \"LOGIN_FAILED\", \"DEVICE_ENROLLED\", \"PASSWORD_CHANGED\", \"SECOND_FACTOR_CHANGED\", \"CONTACT_CHANGED\", \"LIMIT_RAISED\", \"PIX_KEY_REGISTERED\", \"PIX_KEY_REMOVED\", \"BENEFICIARY_ADDED\"]",
        "occurredAt": "str",
        "externalCustomerId": "NotRequired[Optional[str]]",
        "cpfCnpj": "NotRequired[Optional[str]]",
        "accountReference": "NotRequired[Optional[str]]",
        "deviceId": "NotRequired[Optional[str]]",
        "ipAddress": "NotRequired[Optional[str]]",
        "channel": "NotRequired[Optional[str]]",
        "metadata": "NotRequired[Optional[dict[str, Any]]]",
    },
)

EventReceiptData = TypedDict(
    "EventReceiptData",
    {
        "eventId": "str",
        "accepted": "bool",
        "duplicate": "bool",
        "requestId": "str",
        "correlationId": "str",
        "warnings": "NotRequired[list[str]]",
        "originalRequestId": "NotRequired[str]",
    },
)

EventReceiptView = TypedDict(
    "EventReceiptView",
    {
        "data": "EventReceiptData",
        "error": "Optional[None]",
    },
)

EventBatchItemView = TypedDict(
    "EventBatchItemView",
    {
        "index": "float",
        "status": "float",
        "data": "Optional[EventReceiptData]",
        "error": "Optional[ErrorObjectView]",
    },
)

EventBatchData = TypedDict(
    "EventBatchData",
    {
        "summary": "BatchSummary",
        "results": "list[EventBatchItemView]",
    },
)

EventBatchView = TypedDict(
    "EventBatchView",
    {
        "data": "EventBatchData",
        "error": "Optional[None]",
    },
)

LegacyCustomerBody = TypedDict(
    "LegacyCustomerBody",
    {
        "id": "NotRequired[Optional[str]]",
        "name": "NotRequired[Optional[str]]",
        "document": "NotRequired[Optional[str]]",
    },
)

LegacyTransactionBody = TypedDict(
    "LegacyTransactionBody",
    {
        "transactionId": "NotRequired[Optional[str]]",
        "customer": "LegacyCustomerBody",
        "amount": "Union[Decimal, int]",
        "currency": "NotRequired[Optional[str]]",
        "type": "NotRequired[Optional[str]]",
        "metadata": "NotRequired[Optional[dict[str, Any]]]",
    },
)

ScenarioView = TypedDict(
    "ScenarioView",
    {
        "name": "str",
        "what": "str",
        "status": "Literal[\"COMPLETED\", \"DEAD_LETTERED\"]",
        "verdict": "Optional[Literal[\"RELEASE\", \"CHALLENGE\", \"HOLD\", \"DECLINE\"]]",
        "defensible": "Optional[bool]",
        "reasons": "list[str]",
        "events": "list[Literal[\"kyt.transaction.queued\", \"kyt.transaction.pipeline.completed\", \"kyt.transaction.dead_lettered\", \"session.created\", \"session.completed\", \"session.reopened\", \"customer.identified\"]]",
        "then": "Optional[str]",
    },
)

MagicDocumentView = TypedDict(
    "MagicDocumentView",
    {
        "prefix": "str",
        "what": "str",
    },
)

ScenariosView = TypedDict(
    "ScenariosView",
    {
        "scenarios": "list[ScenarioView]",
        "documents": "list[MagicDocumentView]",
        "webhookFailures": "str",
        "missing": "list[str]",
    },
)

AuditCheckpointView = TypedDict(
    "AuditCheckpointView",
    {
        "origin": "str",
        "size": "int",
        "root": "str",
        "signedAt": "str",
        "signature": "str",
    },
)

WebhookEnvelope = TypedDict(
    "WebhookEnvelope",
    {
        "id": "str",
        "type": "Literal[\"kyt.transaction.queued\", \"kyt.transaction.pipeline.completed\", \"kyt.transaction.dead_lettered\", \"session.created\", \"session.completed\", \"session.reopened\", \"customer.identified\"]",
        "timestamp": "str",
        "apiVersion": "str",
        "environment": "str",
        "sequence": "int",
        "correlationId": "str",
        "test": "bool",
        "audit": "Optional[AuditCheckpointView]",
        "data": "dict[str, Any]",
    },
)

TransactionQueuedData = TypedDict(
    "TransactionQueuedData",
    {
        "transactionId": "str",
        "status": "Literal[\"QUEUED\"]",
        "externalCustomerId": "Optional[str]",
        "requestId": "str",
        "correlationId": "str",
        "receivedAt": "str",
    },
)

NotEvaluatedRule = TypedDict(
    "NotEvaluatedRule",
    {
        "ruleId": "str",
        "missing": "list[str]",
    },
)

ReasonMessage = TypedDict(
    "ReasonMessage",
    {
        "pt-BR": "str",
        "en": "str",
    },
)

ReasonLegalBasis = TypedDict(
    "ReasonLegalBasis",
    {
        "norm": "str",
        "item": "str",
        "siscoafCode": "Optional[int]",
    },
)

ScoreReason = TypedDict(
    "ScoreReason",
    {
        "ruleId": "str",
        "version": "int",
        "name": "ReasonMessage",
        "reasonCode": "str",
        "severity": "Literal[\"LOW\", \"MEDIUM\", \"HIGH\", \"CRITICAL\"]",
        "group": "str",
        "points": "int",
        "observed": "Optional[str]",
        "threshold": "str",
        "window": "Optional[str]",
        "saturated": "bool",
        "flags": "list[str]",
        "message": "ReasonMessage",
        "legalBasis": "list[ReasonLegalBasis]",
    },
)

PersonsDecisionPayload = TypedDict(
    "PersonsDecisionPayload",
    {
        "by": "Literal[\"PERSON\"]",
        "outcome": "Literal[\"APPROVED\", \"REJECTED\"]",
        "decidedAt": "str",
        "singleControl": "bool",
    },
)

TransactionCompletedData = TypedDict(
    "TransactionCompletedData",
    {
        "transactionId": "str",
        "status": "Literal[\"COMPLETED\"]",
        "verdict": "Literal[\"RELEASE\", \"CHALLENGE\", \"HOLD\", \"DECLINE\"]",
        "nextAction": "Optional[NextActionView]",
        "outcome": "Literal[\"APPROVED\", \"CHALLENGED\", \"REVIEW\", \"REJECTED\"]",
        "recommendedAction": "Literal[\"NONE\", \"STEP_UP\", \"HOLD\", \"DECLINE\"]",
        "riskScore": "Optional[int]",
        "riskLevel": "Optional[Literal[\"LOW\", \"MEDIUM\", \"HIGH\", \"CRITICAL\"]]",
        "defensible": "bool",
        "composition": "Literal[\"COMPLETE\", \"PARTIAL\", \"MISSING\", \"INCONSISTENT\"]",
        "nonDefensibleReasons": "list[str]",
        "notEvaluated": "list[NotEvaluatedRule]",
        "reasons": "list[ScoreReason]",
        "reviewRequired": "bool",
        "reviewId": "NotRequired[str]",
        "decision": "NotRequired[PersonsDecisionPayload]",
        "stepUpSessionId": "NotRequired[str]",
        "requestedActions": "list[dict[str, Any]]",
        "rulesetVersion": "Optional[str]",
        "rulesetHash": "Optional[str]",
        "evaluationVersion": "int",
        "evaluatedAt": "str",
        "receiptHash": "str",
    },
)

DeadLetterFailure = TypedDict(
    "DeadLetterFailure",
    {
        "code": "str",
        "stage": "str",
        "attempts": "int",
    },
)

TransactionDeadLetteredData = TypedDict(
    "TransactionDeadLetteredData",
    {
        "transactionId": "str",
        "status": "Literal[\"DEAD_LETTERED\"]",
        "failure": "DeadLetterFailure",
        "replayable": "bool",
    },
)

SessionCreatedData = TypedDict(
    "SessionCreatedData",
    {
        "sessionId": "str",
        "status": "Literal[\"PENDING\"]",
        "flowName": "str",
        "customerId": "str",
        "trigger": "Literal[\"OPERATOR\", \"STEP_UP\", \"API\", \"COMPANY\", \"REVERIFICATION\"]",
        "expiresAt": "str",
        "parentReference": "NotRequired[str]",
    },
)

SessionCompletedData = TypedDict(
    "SessionCompletedData",
    {
        "sessionId": "str",
        "status": "Literal[\"COMPLETED\", \"EXPIRED\"]",
        "customerId": "str",
        "riskScore": "NotRequired[float]",
        "outcome": "NotRequired[Literal[\"APPROVED\", \"REVIEW\", \"REJECTED\"]]",
        "defensible": "NotRequired[bool]",
        "completedAt": "str",
    },
)

ReopenedStep = TypedDict(
    "ReopenedStep",
    {
        "stepId": "str",
        "code": "str",
    },
)

SessionReopenedData = TypedDict(
    "SessionReopenedData",
    {
        "sessionId": "str",
        "status": "Literal[\"PENDING\"]",
        "customerId": "str",
        "round": "int",
        "steps": "list[ReopenedStep]",
        "expiresAt": "str",
    },
)

CustomerIdentifiedData = TypedDict(
    "CustomerIdentifiedData",
    {
        "customerId": "str",
        "externalCustomerId": "Optional[str]",
        "documentMasked": "Optional[str]",
        "personType": "Literal[\"NATURAL\", \"LEGAL\"]",
        "assurance": "str",
        "identifiedBy": "str",
    },
)
