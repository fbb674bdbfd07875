// Package vigia calls the API of Vigia and verifies its webhooks. Go 1.18 or newer, standard library only.
package vigia

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const longestWait = 10 * time.Second

// Options say where the service is and who calls.
type Options struct {
	BaseURL      string
	ClientID     string
	ClientSecret string
	// APIVersion is that for which the program was written; the newest when empty.
	APIVersion string
	// MaxRetries are the attempts after the first one; 5 when 0, none when negative.
	MaxRetries int
	// Timeout is how long one attempt may take; 15 seconds when 0.
	Timeout time.Duration
	// OnAttempt hears of each attempt: for logs, metrics and spans.
	OnAttempt func(Attempt)
	// Header gives headers of each request, such as traceparent.
	Header func() map[string]string
	// HTTPClient has a proxy, certificates or a transport of yours; without it the proxy is that of the environment.
	HTTPClient *http.Client
}

// Client calls the API for integrators. Keep it on a server: the secret opens everything of the application.
type Client struct{ options Options }

// New makes a client; it may be used by several goroutines.
func New(options Options) *Client {
	if options.MaxRetries == 0 {
		options.MaxRetries = 5
	}
	if options.Timeout == 0 {
		options.Timeout = 15 * time.Second
	}
	own := http.Client{}
	if options.HTTPClient != nil {
		own = *options.HTTPClient
	}
	// The credentials must not follow to another address.
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	options.HTTPClient = &own
	return &Client{options}
}

type answer[T any] struct {
	Data T             `json:"data"`
	Page *PageInfoView `json:"page"`
}

// Ingest submits a transaction, again where the answer was lost: its TransactionID makes that safe.
func (c *Client) Ingest(ctx context.Context, transaction IngestTransactionBody) (*ReceiptData, error) {
	var got answer[ReceiptData]
	call := Call{Method: http.MethodPost, Path: "/kyt/transactions/ingest", Body: transaction, Repeatable: true}
	if err := c.Send(ctx, call, &got); err != nil {
		return nil, err
	}
	return &got.Data, nil
}

// IngestBatch submits up to 1,000; each item has an answer of its own.
func (c *Client) IngestBatch(ctx context.Context, transactions []IngestTransactionBody) (*BatchData, error) {
	var got answer[BatchData]
	call := Call{Method: http.MethodPost, Path: "/kyt/transactions/ingest/batch", Body: transactions, Repeatable: true}
	if err := c.Send(ctx, call, &got); err != nil {
		return nil, err
	}
	return &got.Data, nil
}

// IngestAndWait submits a transaction and returns it decided. The error is an *UndecidedError when it takes longer, and a
// *DeadLetterError when the service gave it up: hold the transaction in both cases.
func (c *Client) IngestAndWait(ctx context.Context, transaction IngestTransactionBody, within time.Duration) (*TransactionData, error) {
	until := time.Now().Add(within)
	held := within
	if held > longestWait {
		held = longestWait
	}
	if held < time.Millisecond {
		held = time.Millisecond
	}
	// A receipt has no verdict.
	var first answer[TransactionData]
	call := Call{
		Method: http.MethodPost, Path: "/kyt/transactions/ingest", Body: transaction, Repeatable: true,
		Query: map[string]string{"wait": strconv.FormatInt(held.Milliseconds(), 10)}, Held: held,
	}
	if err := c.Send(ctx, call, &first); err != nil {
		return nil, err
	}
	if first.Data.Verdict != nil {
		return &first.Data, nil
	}
	id := transaction.TransactionID
	for pause := 100 * time.Millisecond; ; {
		now, err := c.Transaction(ctx, id)
		switch {
		case err != nil:
			return nil, err
		case now.Status == "DEAD_LETTERED":
			return nil, &DeadLetterError{id}
		case now.Verdict != nil:
			return now, nil
		case time.Now().Add(pause).After(until):
			return nil, &UndecidedError{id}
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
		if pause *= 2; pause > 2*time.Second {
			pause = 2 * time.Second
		}
	}
}

// Transaction reads a transaction with its newest evaluation.
func (c *Client) Transaction(ctx context.Context, transactionID string) (*TransactionData, error) {
	var got answer[TransactionData]
	call := Call{Method: http.MethodGet, Path: "/kyt/transactions/" + url.PathEscape(transactionID)}
	if err := c.Send(ctx, call, &got); err != nil {
		return nil, err
	}
	return &got.Data, nil
}

// CreateSession issues the link of a verification session. Whoever holds it can use the session.
func (c *Client) CreateSession(ctx context.Context, session NewSessionBody) (*IssuedLinkView, error) {
	var got answer[IssuedLinkView]
	if err := c.Send(ctx, creation("/kyc-sessions", session), &got); err != nil {
		return nil, err
	}
	return &got.Data, nil
}

// CreateEndpoint makes an endpoint; the answer has its signing secret, once.
func (c *Client) CreateEndpoint(ctx context.Context, endpoint CreateEndpointBody) (*EndpointSecretView, error) {
	var got answer[EndpointSecretView]
	if err := c.Send(ctx, creation("/webhook-endpoints", endpoint), &got); err != nil {
		return nil, err
	}
	return &got.Data, nil
}

// RemoveEndpoint removes an endpoint for good.
func (c *Client) RemoveEndpoint(ctx context.Context, id string) error {
	return c.Send(ctx, Call{Method: http.MethodDelete, Path: "/webhook-endpoints/" + url.PathEscape(id)}, nil)
}

// Endpoints goes through the endpoints of this application.
func (c *Client) Endpoints(ctx context.Context) *List[EndpointView] {
	return list[EndpointView](ctx, c, "/webhook-endpoints", nil)
}

// Deliveries goes through the deliveries of this application, the newest first.
func (c *Client) Deliveries(ctx context.Context, filter map[string]string) *List[DeliveryView] {
	return list[DeliveryView](ctx, c, "/webhook-deliveries", filter)
}

// List goes through a list page by page: for it.Next() { it.Item() }; then it.Err() says how it ended.
type List[T any] struct {
	items []T
	at    int
	err   error
	read  func(cursor string) (*answer[[]T], error)
	next  *string
}

func list[T any](ctx context.Context, c *Client, path string, filter map[string]string) *List[T] {
	beginning := ""
	return &List[T]{at: -1, next: &beginning, read: func(cursor string) (*answer[[]T], error) {
		query := map[string]string{}
		for name, value := range filter {
			query[name] = value
		}
		if cursor != "" {
			query["cursor"] = cursor
		}
		got := new(answer[[]T])
		return got, c.Send(ctx, Call{Method: http.MethodGet, Path: path, Query: query}, got)
	}}
}

// Next goes to the next item; false at the end and after an error.
func (l *List[T]) Next() bool {
	for l.at++; l.at >= len(l.items); l.at = 0 {
		if l.next == nil || l.err != nil {
			return false
		}
		got, err := l.read(*l.next)
		if err != nil {
			l.err = err
			return false
		}
		l.items, l.next = got.Data, got.Page.NextCursor
	}
	return true
}

// Item is the item that Next went to.
func (l *List[T]) Item() T { return l.items[l.at] }

// Err is nil when the list was read to its end.
func (l *List[T]) Err() error { return l.err }

// FeedOptions say where the events begin.
type FeedOptions struct {
	// Cursor goes on where an earlier reader was.
	Cursor string
	// Since is an RFC 3339 time; without it and without a cursor the first event kept.
	Since string
	Types []string
	// Follow waits for more at the end, until the context is done.
	Follow bool
}

// Feed goes through the events in an order into which none is ever inserted later; process each id once.
type Feed struct {
	ctx     context.Context
	client  *Client
	options FeedOptions
	events  []WebhookEnvelope
	at      int
	cursor  string
	ended   bool
	err     error
}

const feedWait = 20 * time.Second

// Events reads the feed of this application.
func (c *Client) Events(ctx context.Context, options FeedOptions) *Feed {
	return &Feed{ctx: ctx, client: c, options: options, at: -1, cursor: options.Cursor}
}

// Next goes to the next event; false at the end and after an error.
func (f *Feed) Next() bool {
	for f.at++; f.at >= len(f.events); f.at = 0 {
		if f.ended || f.err != nil {
			return false
		}
		f.err = f.page()
		if f.err != nil {
			return false
		}
	}
	return true
}

func (f *Feed) page() error {
	query := map[string]string{"limit": "200"}
	if f.cursor != "" {
		query["cursor"] = f.cursor
	} else if f.options.Since != "" {
		query["since"] = f.options.Since
	}
	if len(f.options.Types) > 0 {
		query["types"] = strings.Join(f.options.Types, ",")
	}
	held := time.Duration(0)
	if f.options.Follow {
		held = feedWait
		query["wait"] = strconv.FormatInt(held.Milliseconds(), 10)
	}
	began := time.Now()
	var got answer[[]WebhookEnvelope]
	if err := f.client.Send(f.ctx, Call{Method: http.MethodGet, Path: "/events", Query: query, Held: held}, &got); err != nil {
		return err
	}
	f.events = got.Data
	if got.Page.NextCursor != nil {
		f.cursor = *got.Page.NextCursor
	}
	f.ended = !got.Page.HasMore && !f.options.Follow
	// A service that lets nobody else wait answers at once.
	if len(f.events) == 0 && !f.ended && time.Since(began) < time.Second {
		return sleep(f.ctx, time.Second)
	}
	return nil
}

// Event is the event that Next went to.
func (f *Feed) Event() WebhookEnvelope { return f.events[f.at] }

// Cursor is to be kept once the whole page is processed: reading from it gives what follows. Empty before the last event of a page.
func (f *Feed) Cursor() string {
	if f.at == len(f.events)-1 {
		return f.cursor
	}
	return ""
}

// Err is nil when the feed was read to its end.
func (f *Feed) Err() error { return f.err }

func creation(path string, body any) Call {
	var key [16]byte
	// Without chance there is no key, and then no repetition.
	if _, err := rand.Read(key[:]); err != nil {
		return Call{Method: http.MethodPost, Path: path, Body: body}
	}
	header := map[string]string{"idempotency-key": fmt.Sprintf("%x", key)}
	return Call{Method: http.MethodPost, Path: path, Body: body, Header: header, Repeatable: true}
}
