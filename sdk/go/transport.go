package vigia

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	firstPause   = 250 * time.Millisecond
	longestPause = 20 * time.Second
)

var sendable = regexp.MustCompile(`^[\x20-\x7e]*$`)

// Attempt is one attempt, for logs, metrics and spans.
type Attempt struct {
	Method string
	// Path is without the query, which may hold ids of people.
	Path     string
	Attempt  int
	Duration time.Duration
	// Status is 0 when no answer came.
	Status    int
	RequestID string
	// RetryIn is nil when this was the last attempt.
	RetryIn *time.Duration
}

// Call is a request to any route.
type Call struct {
	Method string
	Path   string
	Query  map[string]string
	Body   any
	Header map[string]string
	// Repeatable: doing it twice does it once. Without it a POST is not tried again once it may have arrived.
	Repeatable bool
	// Held is for how long the service was asked to hold the answer back; the attempt may take so much longer.
	Held time.Duration
}

// Send makes a call and reads the whole answer into it, again where that is safe and may help.
func (c *Client) Send(ctx context.Context, call Call, into any) error {
	repeatable := call.Repeatable || call.Method == http.MethodGet || call.Method == http.MethodPut || call.Method == http.MethodDelete
	body, err := c.written(call)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		began := time.Now()
		status, requestID, err := c.attempt(ctx, call, body, into)
		var retryIn *time.Duration
		if err != nil && ctx.Err() == nil && attempt <= c.options.MaxRetries && mayRepeat(err, repeatable) {
			pause := pauseOf(attempt, err)
			retryIn = &pause
		}
		if c.options.OnAttempt != nil {
			c.options.OnAttempt(Attempt{call.Method, call.Path, attempt, time.Since(began), status, requestID, retryIn})
		}
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if retryIn == nil {
			return err
		}
		if err := sleep(ctx, *retryIn); err != nil {
			return err
		}
	}
}

func (c *Client) attempt(ctx context.Context, call Call, body []byte, into any) (int, string, error) {
	within, cancel := context.WithTimeout(ctx, c.options.Timeout+call.Held)
	defer cancel()
	request, err := c.request(within, call, body)
	if err != nil {
		return 0, "", err
	}
	response, err := c.options.HTTPClient.Do(request)
	lost := func(cause error) error {
		return &ConnectionError{fmt.Sprintf("%s %s: no answer came", call.Method, call.Path), cause}
	}
	if err != nil {
		return 0, "", lost(err)
	}
	defer response.Body.Close()
	// An answer that breaks off is none: the body is part of the attempt.
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, "", lost(err)
	}
	requestID := response.Header.Get("x-request-id")
	isWell := response.StatusCode >= 200 && response.StatusCode < 300
	if isWell && (len(text) == 0 || into == nil || json.Unmarshal(text, into) == nil) {
		return response.StatusCode, requestID, nil
	}
	return response.StatusCode, requestID, refusalOf(response, text)
}

// written checks what the caller gave once, before any attempt, and writes the body.
func (c *Client) written(call Call) ([]byte, error) {
	base, err := url.Parse(c.options.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http" {
		return nil, &UsageError{"BaseURL: no address that begins with https:// or http://"}
	}
	if c.options.ClientID == "" || !sendable.MatchString(c.options.ClientID) {
		return nil, notSendable("ClientID")
	}
	if c.options.ClientSecret == "" || !sendable.MatchString(c.options.ClientSecret) {
		return nil, notSendable("ClientSecret")
	}
	if call.Body == nil {
		return nil, nil
	}
	body, err := json.Marshal(call.Body)
	if err != nil {
		// What json says itself may quote the body.
		return nil, &UsageError{"body: holds what JSON does not know"}
	}
	return body, nil
}

func notSendable(name string) error {
	return &UsageError{name + ": empty, or with a character that no header takes, such as a line break"}
}

func (c *Client) request(ctx context.Context, call Call, body []byte) (*http.Request, error) {
	query := url.Values{}
	for name, value := range call.Query {
		query.Set(name, value)
	}
	address := strings.TrimRight(c.options.BaseURL, "/") + call.Path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, address, bytes.NewReader(body))
	if err != nil {
		return nil, &UsageError{"method or path: not fit for a request"}
	}
	request.Header.Set("accept", "application/json")
	request.Header.Set("x-client-id", c.options.ClientID)
	request.Header.Set("x-client-secret", c.options.ClientSecret)
	if c.options.APIVersion != "" {
		request.Header.Set("x-api-version", c.options.APIVersion)
	}
	if body != nil {
		request.Header.Set("content-type", "application/json")
	}
	if c.options.Header != nil {
		for name, value := range c.options.Header() {
			request.Header.Set(name, value)
		}
	}
	for name, value := range call.Header {
		request.Header.Set(name, value)
	}
	for name, values := range request.Header {
		if !sendable.MatchString(values[0]) {
			return nil, notSendable(name)
		}
	}
	return request, nil
}

func refusalOf(response *http.Response, text []byte) error {
	status := response.StatusCode
	refusal := &APIError{Status: status, Code: "HTTP_" + strconv.Itoa(status), Retryable: status == 429 || status >= 502}
	var said struct{ Error *ErrorObjectView }
	// The page of a proxy is not an answer of the service.
	if json.Unmarshal(text, &said) == nil && said.Error != nil {
		refusal.Code, refusal.Message, refusal.Details = said.Error.Code, said.Error.Message, said.Error.Details
		refusal.RequestID, refusal.CorrelationID = said.Error.RequestID, said.Error.CorrelationID
		refusal.Retryable = said.Error.Retryable
	}
	if after, err := strconv.ParseUint(response.Header.Get("retry-after"), 10, 31); err == nil {
		pause := time.Duration(after) * time.Second
		refusal.RetryAfter = &pause
	}
	return refusal
}

func mayRepeat(err error, repeatable bool) bool {
	switch refusal := err.(type) {
	case *APIError:
		// Refused before anything was done, so that even what must not happen twice may be sent again.
		return refusal.Status == 429 || refusal.Status == 503 || repeatable && refusal.Retryable
	case *ConnectionError:
		return repeatable
	}
	return false
}

// pauseOf is as long as the service asks for, or longer each time; in part by chance, so that many do not come back at once.
func pauseOf(attempt int, err error) time.Duration {
	if refusal, ok := err.(*APIError); ok && refusal.RetryAfter != nil {
		asked := *refusal.RetryAfter
		if asked > 10*longestPause {
			asked = 10 * longestPause
		}
		return asked + chance(firstPause)
	}
	longest := longestPause
	if attempt < 8 {
		longest = firstPause << (attempt - 1)
	}
	if longest > longestPause {
		longest = longestPause
	}
	return longest/2 + chance(longest/2)
}

func chance(most time.Duration) time.Duration {
	var eight [8]byte
	if _, err := rand.Read(eight[:]); err != nil {
		return most
	}
	return time.Duration(binary.BigEndian.Uint64(eight[:]) % uint64(most+1))
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
