// Runs what the test asks for, with the client for Go: a JSON object per line in, one per line out.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"time"

	vigia "vigia.example/client"
)

type setup struct {
	URL          string `json:"url"`
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
	TimeoutMs    int64  `json:"timeoutMs"`
	Proxy        string `json:"proxy"`
	CA           string `json:"ca"`
}

type said struct {
	Value    any       `json:"value,omitempty"`
	Error    string    `json:"error,omitempty"`
	Message  string    `json:"message,omitempty"`
	Code     *string   `json:"code"`
	Details  any       `json:"details"`
	Attempts int       `json:"attempts"`
	PausesMs []float64 `json:"pausesMs"`
}

type item struct {
	Event  vigia.WebhookEnvelope `json:"event"`
	Cursor *string               `json:"cursor"`
}

var (
	client   *vigia.Client
	attempts []vigia.Attempt
	within   = context.Background()
)

func read[T any](given json.RawMessage) T {
	var value T
	if err := json.Unmarshal(given, &value); err != nil {
		panic(err)
	}
	return value
}

func collected[T any](list *vigia.List[T]) (any, error) {
	all := []T{}
	for list.Next() {
		all = append(all, list.Item())
	}
	return all, list.Err()
}

func events(given json.RawMessage) (any, error) {
	cursor := read[*string](given)
	options := vigia.FeedOptions{}
	if cursor != nil {
		options.Cursor = *cursor
	}
	all, feed := []item{}, client.Events(within, options)
	for feed.Next() {
		one := item{Event: feed.Event()}
		if next := feed.Cursor(); next != "" {
			one.Cursor = &next
		}
		all = append(all, one)
	}
	return all, feed.Err()
}

func verify(given json.RawMessage) (any, error) {
	signed := read[struct {
		Headers      map[string]string
		Body, Secret string
		Now          float64
	}](given)
	header := http.Header{}
	for name, value := range signed.Headers {
		header.Set(name, value)
	}
	now := time.UnixMilli(int64(1_000 * signed.Now))
	return vigia.VerifyWebhookAt(now, vigia.DefaultTolerance, header, []byte(signed.Body), signed.Secret)
}

// exact has the amount as a program in Go has it.
func exact(given json.RawMessage) (any, error) {
	var sent map[string]any
	sent = read[map[string]any](given)
	sent["amount"] = json.Number(sent["amount"].(string))
	text, err := json.Marshal(sent)
	if err != nil {
		return nil, err
	}
	return client.Ingest(within, read[vigia.IngestTransactionBody](text))
}

func httpClient(given setup) *http.Client {
	if given.Proxy == "" && given.CA == "" {
		return nil
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if at, err := url.Parse(given.Proxy); err == nil && given.Proxy != "" {
		transport.Proxy = http.ProxyURL(at)
	}
	if text, err := os.ReadFile(given.CA); err == nil {
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(text)
		transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	return &http.Client{Transport: transport}
}

var steps = map[string]func(json.RawMessage) (any, error){
	"ingest": func(given json.RawMessage) (any, error) {
		return client.Ingest(within, read[vigia.IngestTransactionBody](given))
	},
	"ingestExact": exact,
	"ingestBatch": func(given json.RawMessage) (any, error) {
		return client.IngestBatch(within, read[[]vigia.IngestTransactionBody](given))
	},
	"ingestAndWait": func(given json.RawMessage) (any, error) {
		return client.IngestAndWait(within, read[vigia.IngestTransactionBody](given), 30*time.Second)
	},
	"transaction": func(given json.RawMessage) (any, error) {
		return client.Transaction(within, read[string](given))
	},
	"createEndpoint": func(given json.RawMessage) (any, error) {
		return client.CreateEndpoint(within, read[vigia.CreateEndpointBody](given))
	},
	"endpoints": func(json.RawMessage) (any, error) { return collected(client.Endpoints(within)) },
	"deliveries": func(given json.RawMessage) (any, error) {
		return collected(client.Deliveries(within, read[map[string]string](given)))
	},
	"events": events,
	"post": func(given json.RawMessage) (any, error) {
		var got any
		call := vigia.Call{Method: http.MethodPost, Path: read[string](given), Body: map[string]any{}}
		return got, client.Send(within, call, &got)
	},
	"verify": verify,
}

// refusal names an error as the clients for the other languages do.
func refusal(err error) said {
	var api *vigia.APIError
	var webhook *vigia.WebhookError
	var lost *vigia.ConnectionError
	var usage *vigia.UsageError
	switch {
	case errors.As(err, &api):
		return said{Error: "VigiaApiError", Code: &api.Code, Details: api.Details}
	case errors.As(err, &webhook):
		return said{Error: "WebhookVerificationError", Code: &webhook.Code, Message: webhook.Error()}
	case errors.As(err, &usage):
		return said{Error: "VigiaUsageError", Message: usage.Error()}
	case errors.As(err, &lost):
		return said{Error: "VigiaConnectionError"}
	}
	return said{Error: err.Error()}
}

func main() {
	lines, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	lines.Buffer(make([]byte, 1<<16), 1<<24)
	lines.Scan()
	given := read[setup](lines.Bytes())
	client = vigia.New(vigia.Options{
		BaseURL: given.URL, ClientID: given.ClientID, ClientSecret: given.ClientSecret,
		Timeout:    time.Duration(given.TimeoutMs) * time.Millisecond,
		HTTPClient: httpClient(given),
		OnAttempt:  func(one vigia.Attempt) { attempts = append(attempts, one) },
	})
	for lines.Scan() {
		asked := read[struct {
			Step  string
			Given json.RawMessage
		}](lines.Bytes())
		attempts = nil
		value, err := steps[asked.Step](asked.Given)
		result := said{Value: value}
		if err != nil {
			result = refusal(err)
		}
		result.Attempts, result.PausesMs = len(attempts), []float64{}
		for _, one := range attempts {
			if one.RetryIn != nil {
				result.PausesMs = append(result.PausesMs, float64(one.RetryIn.Microseconds())/1_000)
			}
		}
		if err := out.Encode(result); err != nil {
			panic(err)
		}
	}
}
