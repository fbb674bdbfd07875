package vigia

import (
	"fmt"
	"strings"
	"time"
)

// UsageError says that the call itself is wrong, and nothing was sent. It names what, and no value.
type UsageError struct{ What string }

func (e *UsageError) Error() string { return e.What }

// APIError says that the service refused: Code is stable, Details say where and why.
type APIError struct {
	Status  int
	Code    string
	Message string
	Details []ErrorDetailView
	// RequestID is to be named in questions to whoever runs the service.
	RequestID     string
	CorrelationID string
	// Retryable: the same request may succeed later; the client has tried again already.
	Retryable  bool
	RetryAfter *time.Duration
}

func (e *APIError) Error() string {
	parts := []string{fmt.Sprintf("%d %s", e.Status, e.Code)}
	if e.Message != "" {
		parts = append(parts, e.Message)
	}
	for _, detail := range e.Details {
		where := detail.Path
		if where == "" {
			where = "body"
		}
		parts = append(parts, where+": "+detail.Code)
	}
	return strings.Join(parts, "; ")
}

// ConnectionError says that no answer came: the network, or a time limit of one attempt. What was asked for may have happened.
type ConnectionError struct {
	What  string
	Cause error
}

func (e *ConnectionError) Error() string { return e.What }
func (e *ConnectionError) Unwrap() error { return e.Cause }

// UndecidedError says that the decision did not come in time. The transaction is accepted and is decided later: hold it.
type UndecidedError struct{ TransactionID string }

func (e *UndecidedError) Error() string {
	return "the transaction is accepted and was not decided in time"
}

// DeadLetterError says that the service gave the transaction up; people replay it. Hold it until then.
type DeadLetterError struct{ TransactionID string }

func (e *DeadLetterError) Error() string { return "the transaction is a dead letter" }

var words = map[string]string{
	"SECRET_MISSING":     "no signing secret was given",
	"SECRET_INVALID":     "the signing secret is not as it was shown: whsec_ and base64, with no blank, quote or v1, around it",
	"HEADER_MISSING":     "the headers of the signature are not there",
	"TIMESTAMP_INVALID":  "webhook-timestamp is no number of seconds",
	"TIMESTAMP_TOO_OLD":  "it was sent too long ago, or the clock here is fast",
	"TIMESTAMP_TOO_NEW":  "it was sent in the future, or the clock here is slow",
	"SIGNATURE_MISMATCH": "the signature is of another secret, or the body is not as it arrived",
	"BODY_INVALID":       "the body is no JSON",
}

// WebhookError says that the request is not, or not provably, from Vigia: answer 401 and do nothing.
type WebhookError struct{ Code string }

func (e *WebhookError) Error() string { return "webhook refused: " + e.Code + ": " + words[e.Code] }
