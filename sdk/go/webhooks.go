package vigia

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// DefaultTolerance is how far the time of a webhook may be from the clock.
const DefaultTolerance = 5 * time.Minute

var seconds = regexp.MustCompile(`^[0-9]{1,12}$`)

// VerifyWebhook verifies the Standard Webhooks headers and returns the event. The body is as it arrived: not parsed, not
// written again. During a rotation give both secrets. The error is a *WebhookError.
func VerifyWebhook(header http.Header, body []byte, secrets ...string) (*WebhookEnvelope, error) {
	return VerifyWebhookAt(time.Now(), DefaultTolerance, header, body, secrets...)
}

// VerifyWebhookAt verifies with another clock or tolerance.
func VerifyWebhookAt(now time.Time, tolerance time.Duration, header http.Header, body []byte, secrets ...string) (*WebhookEnvelope, error) {
	keys, err := keysOf(secrets)
	if err != nil {
		return nil, err
	}
	id, timestamp, signature := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	if id == "" || timestamp == "" || signature == "" {
		return nil, &WebhookError{"HEADER_MISSING"}
	}
	if !seconds.MatchString(timestamp) {
		return nil, &WebhookError{"TIMESTAMP_INVALID"}
	}
	at, _ := strconv.ParseInt(timestamp, 10, 64)
	switch age := now.Sub(time.Unix(at, 0)); {
	case age > tolerance:
		return nil, &WebhookError{"TIMESTAMP_TOO_OLD"}
	case age < -tolerance:
		return nil, &WebhookError{"TIMESTAMP_TOO_NEW"}
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	if !matches(signed, strings.Split(signature, " "), keys) {
		return nil, &WebhookError{"SIGNATURE_MISMATCH"}
	}
	event := new(WebhookEnvelope)
	if err := json.Unmarshal(body, event); err != nil {
		return nil, &WebhookError{"BODY_INVALID"}
	}
	return event, nil
}

func keysOf(secrets []string) ([][]byte, error) {
	keys := [][]byte{}
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		// The decoder passes over line breaks.
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 || strings.ContainsAny(secret, "\r\n") {
			return nil, &WebhookError{"SECRET_INVALID"}
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, &WebhookError{"SECRET_MISSING"}
	}
	return keys, nil
}

// matches compares every pair in constant time, so that the time taken says nothing about how close a guess was.
func matches(signed []byte, given []string, keys [][]byte) bool {
	found := false
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write(signed)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, one := range given {
			if hmac.Equal(expected, []byte(one)) {
				found = true
			}
		}
	}
	return found
}
