// Written by `npm run console:types` from the OpenAPI document for integrators.

export interface paths {
    "/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests of this application, the newest first
         * @description The last thirty days: which members a body had and what was wrong where, never a value. A request is there a second after its answer; requests without valid credentials are not.
         *
         *     For client applications with the scope `requests:read`.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries, the newest first
         * @description A delivery is one event at one endpoint, with all its attempts.
         *
         *     For client applications with the scope `webhooks:manage`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery with its attempts
         * @description The payload, and of each attempt the time, the status or error and the beginning of your answer, kept for thirty days.
         *
         *     For client applications with the scope `webhooks:manage`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event once more, with the same id and bytes
         * @description Your receiver knows it by `webhook-id` as one that it may have.
         *
         *     For client applications with the scope `webhooks:manage`.
         *
         *     The body has at most 64 KiB.
         */
        post: operations["retryWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints of this application
         * @description Those that operators made for it are among them.
         *
         *     For client applications with the scope `webhooks:manage`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description The answer holds the signing secret, which is shown this once.
         *
         *     For client applications with the scope `webhooks:manage`.
         *
         *     The body has at most 64 KiB.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description Its address, what it is subscribed to and its state; never its secret.
         *
         *     For client applications with the scope `webhooks:manage`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook endpoint for good
         * @description To stop for a while, pause it: what happens meanwhile then waits.
         *
         *     For client applications with the scope `webhooks:manage`.
         */
        delete: operations["removeWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Another URL gets another signing secret, which nobody has seen: `secret/rotate` gives one to read.
         *
         *     For client applications with the scope `webhooks:manage`.
         *
         *     The body has at most 64 KiB.
         */
        patch: operations["changeWebhookEndpoint"];
        trace?: never;
    };
    "/webhook-endpoints/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let deliveries collect and wait
         * @description Nothing is sent until it is resumed, and nothing is lost.
         *
         *     For client applications with the scope `webhooks:manage`.
         *
         *     The body has at most 64 KiB.
         */
        post: operations["pauseWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a paused or disabled endpoint into use again
         * @description What collected while it was paused is sent now. What happened while it was disabled: recover it.
         *
         *     For client applications with the scope `webhooks:manage`.
         *
         *     The body has at most 64 KiB.
         */
        post: operations["resumeWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an endpoint, with a reason
         * @description Nothing is collected for it any more, and what waits is cancelled.
         *
         *     For client applications with the scope `webhooks:manage`.
         *
         *     The body has at most 64 KiB.
         */
        post: operations["disableWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an endpoint a new signing secret
         * @description Shown this once. For the overlap both secrets sign: change your receiver over in that time.
         *
         *     For client applications with the scope `webhooks:manage`.
         *
         *     The body has at most 64 KiB.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a made-up event with `test: true`
         * @description Signed and delivered like any other, so that you see whether your receiver is reached and verifies it.
         *
         *     For client applications with the scope `webhooks:manage`.
         *
         *     The body has at most 64 KiB.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How an endpoint has been doing
         * @description Attempts, failures, the share that succeeded and how long they took, by the hour.
         *
         *     For client applications with the scope `webhooks:manage`.
         */
        get: operations["getWebhookEndpointStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an endpoint the events that it never got
         * @description A job: read its progress at /recoveries/{recoveryId}. Events that were delivered, or wait to be, are left alone.
         *
         *     For client applications with the scope `webhooks:manage`.
         *
         *     The body has at most 64 KiB.
         */
        post: operations["recoverWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/recoveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the recoveries of an endpoint
         * @description The newest first, each with how far it is.
         *
         *     For client applications with the scope `webhooks:manage`.
         */
        get: operations["listWebhookRecoveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/recoveries/{recoveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the progress of a recovery
         * @description How much of its range was looked at, and how many events are sent again.
         *
         *     For client applications with the scope `webhooks:manage`.
         */
        get: operations["getWebhookRecovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch events in order, instead of or beside webhooks
         * @description Every event of this application, in an order in which none is ever inserted later: keep `page.nextCursor`, come back with it, and nothing is missed. With `wait` the answer at the end comes with the next event. With `order=desc` the newest come first. After a restore of the database a cursor beyond its point is refused with FEED_REWOUND. Events about erased persons are left out.
         *
         *     For client applications with the scope `events:read`.
         */
        get: operations["readEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one event
         * @description As webhooks carry it. One of another application is answered like one that never existed.
         *
         *     For client applications with the scope `events:read`.
         */
        get: operations["readEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Write what is known of up to 5,000 customers
         * @description A JSON array, NDJSON with one row per line, or a CSV file (UTF-8, UTF-16 or Windows-1252; commas, semicolons or tabs) with columns of the template; at most 5,000. Each row is judged alone, and each that is wrong is named by line and path. Whoever is new gets a record. Nobody is alerted and no event is sent. After an answer that did not arrive, send the same rows again: what was written is `unchanged` then.
         *
         *     For client applications with the scope `customers:write`.
         *
         *     The body has at most 8192 KiB.
         */
        put: operations["putProfiles"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One customer of the organisation
         * @description What an application may know of a customer, with the ids by which integrators call them.
         *
         *     For client applications with the scope `customers:read`.
         */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/kyc-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the link of a new session
         * @description Needs the scope `sessions:create`, which no application has until an administrator gives it.
         *
         *     For client applications with the scope `sessions:create`.
         *
         *     The body has at most 64 KiB.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/kyc-sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One session of the application, with its result
         * @description Sessions of other applications are answered like ones that never existed.
         *
         *     For client applications with the scope `sessions:read`.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/kyt/transactions/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a transaction for monitoring
         * @description Answers after the commit; processing is asynchronous. Sending the same transactionId with the same content again is safe. With `wait`, or `Prefer: wait=SECONDS`, the answer waits for the decision: 200 with what reading the transaction answers, or the receipt when there is none in time.
         *
         *     For client applications with the scope `kyt:ingest`.
         *
         *     The body has at most 64 KiB.
         */
        post: operations["ingestTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/kyt/transactions/ingest/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit up to 1,000 transactions
         * @description A JSON array, or NDJSON with one submission per line. Each item is accepted or refused alone, with the status and the envelope that it would have got alone, in the order of the request. Costs one token of the rate limit per item. With `wait` all decisions are waited for together; an item that is decided in time has status 200 and reads as the transaction does.
         *
         *     For client applications with the scope `kyt:ingest`.
         *
         *     The body has at most 8192 KiB.
         */
        post: operations["ingestTransactionBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/kyt/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transaction of this application
         * @description `verdict` says what to do, `nextAction` what the customer has to; status, outcome, score, composition and reasons say why. Transactions of other applications do not exist here.
         *
         *     For client applications with the scope `kyt:read`.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/kyt/transactions/{transactionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the events of a transaction, in their order
         * @description The bodies that webhooks carry. Empty when the person it is about was erased.
         *
         *     For client applications with the scope `events:read`.
         */
        get: operations["getTransactionEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/kyt/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit an event of a customer that moves no money
         * @description A login, an enrolled device, a changed password and the like, for the windows of rules. Answers after the commit. Sending the same eventId with the same content again is safe. An event counts for the transactions that are submitted after it: send it before them, with the same application.
         *
         *     For client applications with the scope `kyt:ingest`.
         *
         *     The body has at most 64 KiB.
         */
        post: operations["ingestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/kyt/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit up to 1,000 events
         * @description A JSON array, or NDJSON with one event per line. Each item is accepted or refused alone, with the status and the envelope that it would have got alone, in the order of the request. Costs one token of the rate limit per item.
         *
         *     For client applications with the scope `kyt:ingest`.
         *
         *     The body has at most 8192 KiB.
         */
        post: operations["ingestEventBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a transaction (legacy)
         * @deprecated
         * @description Kept for backward compatibility; new integrations use POST /kyt/transactions/ingest.
         *
         *     For client applications with the scope `transactions:write`.
         *
         *     The body has at most 64 KiB.
         */
        post: operations["submitLegacyTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what can be provoked in the sandbox
         * @description Name one in `metadata.sandboxScenario` of a submission: its inputs take the place of what was sent, and everything after that is the ordinary pipeline. Promises hold under the ruleset and the lists that ship; `missing` names what your organisation lacks of these. No other environment has scenarios: SANDBOX_ONLY.
         *
         *     For client applications with the scope `kyt:ingest`.
         */
        get: operations["listScenarios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A submitted transaction has been queued. */
        TransactionQueuedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "kyt.transaction.queued";
            /** @description What happened. */
            data: components["schemas"]["TransactionQueuedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "kyt.transaction.queued";
        };
        /** @description The processing pipeline for a transaction has completed. */
        TransactionCompletedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "kyt.transaction.pipeline.completed";
            /** @description What happened. */
            data: components["schemas"]["TransactionCompletedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "kyt.transaction.pipeline.completed";
        };
        /** @description A transaction could not be processed and was dead-lettered. */
        TransactionDeadLetteredEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "kyt.transaction.dead_lettered";
            /** @description What happened. */
            data: components["schemas"]["TransactionDeadLetteredData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "kyt.transaction.dead_lettered";
        };
        /** @description A Flow session is created. */
        SessionCreatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "session.created";
            /** @description What happened. */
            data: components["schemas"]["SessionCreatedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session.created";
        };
        /** @description A session reaches a terminal state. */
        SessionCompletedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "session.completed";
            /** @description What happened. */
            data: components["schemas"]["SessionCompletedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session.completed";
        };
        /** @description Single steps of a session are asked for again. */
        SessionReopenedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "session.reopened";
            /** @description What happened. */
            data: components["schemas"]["SessionReopenedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session.reopened";
        };
        /** @description A customer is identified. */
        CustomerIdentifiedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "customer.identified";
            /** @description What happened. */
            data: components["schemas"]["CustomerIdentifiedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "customer.identified";
        };
        RequestFaultView: {
            /**
             * @description Path of the field, empty for the whole body; a name that is none of the contract is `*`.
             * @example amount
             */
            path: string;
            /**
             * @description A stable code; a program may rely on it.
             * @example AMOUNT_NOT_POSITIVE
             */
            code: string;
        };
        LoggedRequestView: {
            /**
             * @description As in `X-Request-Id`.
             * @example req_019364d0c0de7000a000000000000001
             */
            requestId: string;
            /**
             * @description Ties together what belongs together; yours, if you sent one.
             * @example order-4711
             */
            correlationId: string;
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-20T12:00:00.000Z
             */
            at: string;
            /**
             * @description The HTTP method.
             * @example POST
             */
            method: string;
            /**
             * @description The route, with names in the place of ids.
             * @example /kyt/transactions/ingest
             */
            route: string;
            /**
             * @description Of the answer; 499 when the caller hung up before it.
             * @example 400
             */
            status: number;
            /**
             * @description Of the error.
             * @example VALIDATION_FAILED
             */
            code: string | null;
            /**
             * @description How long it took, in milliseconds.
             * @example 4.2
             */
            durationMs: number;
            /**
             * @description Size of the body; null when it was not told.
             * @example 812
             */
            bytesIn: number | null;
            /**
             * @description The members that the body had, two levels deep, never their values. Names that are none of the contract are `*`.
             * @example [
             *       "transactionId",
             *       "amount",
             *       "origin",
             *       "origin.name"
             *     ]
             */
            fields: string[];
            /** @description What was wrong, and where. */
            faults: components["schemas"]["RequestFaultView"][];
        };
        PageInfoView: {
            /**
             * @description At most so many items are on a page.
             * @example 50
             */
            limit: number;
            /**
             * @description Send it as `cursor` for what follows.
             * @example null
             */
            nextCursor: string | null;
            /**
             * @description Whether more follows.
             * @example false
             */
            hasMore: boolean;
        };
        TextPositionView: {
            /**
             * @description Offset in UTF-16 units.
             * @example 0
             */
            start: number;
            /**
             * @description Offset of what follows.
             * @example 9
             */
            end: number;
            /**
             * @description The line, counted from 1.
             * @example 1
             */
            line: number;
            /**
             * @description The column, counted from 1.
             * @example 1
             */
            column: number;
        };
        ErrorDetailView: {
            /**
             * @description Path of the field, empty for the whole body.
             * @example origin.cpfCnpj
             */
            path: string;
            /**
             * @description A stable code; a program may rely on it.
             * @example TAX_ID_INVALID
             */
            code: string;
            /** @description For people. Never holds the submitted value. */
            message: string;
            /** @description Where in the body that is no JSON, or in the text of a field of the rule language. */
            position?: components["schemas"]["TextPositionView"];
            /**
             * @description What could stand there.
             * @example number
             */
            expected?: string;
            /**
             * @description What stands there.
             * @example string
             */
            found?: string;
            /**
             * @description What was probably meant.
             * @example outgoing.sum24h
             */
            suggestion?: string;
        };
        DeliveryView: {
            /**
             * @description As in X-Vigia-Delivery.
             * @example whd_01999e8e7c5b7d0f9a3c5f2d1b4e6a77
             */
            id: string;
            /**
             * @description The id of the event, the same over all its deliveries.
             * @example evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80
             */
            eventId: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            eventType: "kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified";
            /**
             * @description Counts the events of one transaction, session or customer from 1.
             * @example 1
             */
            sequence: number;
            /**
             * @description The id of the webhook endpoint.
             * @example whe_01999e8e7c5b7d0f9a3c5f2d1b4e6a77
             */
            endpointId: string;
            /**
             * @description EXHAUSTED: given up after the whole schedule.
             * @enum {string}
             */
            status: "PENDING" | "SENDING" | "DELIVERED" | "EXHAUSTED" | "CANCELLED";
            /**
             * @description How many attempts.
             * @example 2
             */
            attempts: number;
            /**
             * @description The HTTP status of the last attempt; null when there was no answer.
             * @example 503
             */
            lastStatusCode: number | null;
            /**
             * @description Why the last attempt failed.
             * @example HTTP_503
             */
            lastError: string | null;
            /**
             * Format: date-time
             * @description When it is tried next.
             * @example 2026-11-20T12:00:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the delivery was created.
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the delivery finished; null before.
             * @example 2026-11-20T12:00:00.000Z
             */
            finishedAt: string | null;
        };
        AttemptView: {
            /**
             * @description Counts from 1.
             * @example 1
             */
            number: number;
            /**
             * Format: date-time
             * @description When the attempt began.
             * @example 2026-11-20T12:00:00.000Z
             */
            startedAt: string;
            /**
             * @description How long it took, in milliseconds.
             * @example 37
             */
            durationMs: number;
            /**
             * @description The HTTP status of the answer; null when there was none.
             * @example 503
             */
            statusCode: number | null;
            /**
             * @description TIMEOUT, ECONNREFUSED, …
             * @example null
             */
            errorCode: string | null;
            /**
             * @description The beginning of the answer, at most 4 KiB, with secrets and document numbers masked; kept for thirty days.
             * @example upstream not available
             */
            responseExcerpt: string | null;
        };
        DeliveryDetailView: {
            /**
             * @description As in X-Vigia-Delivery.
             * @example whd_01999e8e7c5b7d0f9a3c5f2d1b4e6a77
             */
            id: string;
            /**
             * @description The id of the event, the same over all its deliveries.
             * @example evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80
             */
            eventId: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            eventType: "kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified";
            /**
             * @description Counts the events of one transaction, session or customer from 1.
             * @example 1
             */
            sequence: number;
            /**
             * @description The id of the webhook endpoint.
             * @example whe_01999e8e7c5b7d0f9a3c5f2d1b4e6a77
             */
            endpointId: string;
            /**
             * @description EXHAUSTED: given up after the whole schedule.
             * @enum {string}
             */
            status: "PENDING" | "SENDING" | "DELIVERED" | "EXHAUSTED" | "CANCELLED";
            /**
             * @description How many attempts.
             * @example 2
             */
            attempts: number;
            /**
             * @description The HTTP status of the last attempt; null when there was no answer.
             * @example 503
             */
            lastStatusCode: number | null;
            /**
             * @description Why the last attempt failed.
             * @example HTTP_503
             */
            lastError: string | null;
            /**
             * Format: date-time
             * @description When it is tried next.
             * @example 2026-11-20T12:00:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the delivery was created.
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the delivery finished; null before.
             * @example 2026-11-20T12:00:00.000Z
             */
            finishedAt: string | null;
            /** @description Where to read what happened. */
            log: components["schemas"]["AttemptView"][];
            /** @description The body that is sent; null when the person it is about was erased. */
            payload: {
                [key: string]: unknown;
            } | null;
        };
        EndpointView: {
            /**
             * @description The id of the endpoint.
             * @example whe_01999e8e7c5b7d0f9a3c5f2d1b4e6a77
             */
            id: string;
            /**
             * @description The id of the client application.
             * @example app_01999e8e7c5b7d0f9a3c5f2d1b4e6a11
             */
            clientAppId: string;
            /**
             * @description The address of the endpoint.
             * @example https://hooks.example.com/vigia
             */
            url: string;
            /**
             * @description What the endpoint is for, in words.
             * @example Core banking, production
             */
            description: string | null;
            /** @description The types of events that are sent. */
            eventTypes: ("kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified")[];
            /**
             * @description Whether the events of one thing are sent in their order.
             * @enum {string}
             */
            ordering: "none" | "per_resource";
            /**
             * @description PAUSED: deliveries collect and wait. DISABLED: nothing is collected.
             * @enum {string}
             */
            status: "ACTIVE" | "PAUSED" | "DISABLED";
            /**
             * @description Why it is paused or disabled: ENDPOINT_GONE (it answered 410), FAILING_TOO_LONG, or words.
             * @example null
             */
            statusReason: string | null;
            /**
             * Format: date-time
             * @description Since when every attempt has failed.
             * @example 2026-11-20T12:00:00.000Z
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description Left alone until then, because it only fails.
             * @example 2026-11-20T12:00:00.000Z
             */
            heldUntil: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before the present one signs as well.
             * @example 2026-11-20T12:00:00.000Z
             */
            previousSecretExpiresAt: string | null;
            /**
             * @description Until when each secret before the present one signs as well, the newest first; five sign at most.
             * @example [
             *       "2026-11-20T12:00:00.000Z"
             *     ]
             */
            olderSecretsExpireAt: string[];
            /**
             * Format: date-time
             * @description When the endpoint was created.
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the endpoint was last changed.
             * @example 2026-11-20T12:00:00.000Z
             */
            updatedAt: string;
        };
        EndpointSecretView: {
            /** @description The webhook endpoint. */
            endpoint: components["schemas"]["EndpointView"];
            /**
             * @description The signing secret. Shown this once: keep it where your receiver finds it.
             * @example whsec_…
             */
            secret: string;
        };
        CreateEndpointBody: {
            /**
             * @description Where events are sent to. https, a public host, port 443, 80 or one from 1024 upwards. At most 2,048 characters.
             * @example https://hooks.example.com/vigia
             */
            url: string;
            /** @description What it receives; every type when left out. An unknown type is refused. */
            eventTypes?: ("kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified")[];
            /**
             * @description per_resource: an event is sent only when every earlier one of the same transaction, session or customer has been delivered or given up. A receiver that fails on one event then waits for the rest of that resource.
             * @default none
             * @enum {string}
             */
            ordering: "none" | "per_resource";
            /**
             * @description What the endpoint is for, in words. At most 256 characters.
             * @example Core banking, production
             */
            description?: string | null;
        };
        ChangeEndpointBody: {
            /**
             * @description Where events are sent to. https, a public host, port 443, 80 or one from 1024 upwards. At most 2,048 characters.
             * @example https://hooks.example.com/vigia
             */
            url?: string;
            /** @description What it receives; every type when left out. An unknown type is refused. */
            eventTypes?: ("kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified")[];
            /**
             * @description per_resource: an event is sent only when every earlier one of the same transaction, session or customer has been delivered or given up. A receiver that fails on one event then waits for the rest of that resource.
             * @default none
             * @enum {string}
             */
            ordering: "none" | "per_resource";
            /**
             * @description What the endpoint is for, in words. At most 256 characters.
             * @example Core banking, production
             */
            description?: string | null;
        };
        PauseEndpointBody: {
            /**
             * @description The reason, in your own words. At most 256 characters.
             * @example maintenance until Monday
             */
            reason?: string;
        };
        DisableEndpointBody: {
            /**
             * @description The reason, in your own words. At most 256 characters.
             * @example replaced by the endpoint of the new system
             */
            reason: string;
        };
        RotateEndpointSecretBody: {
            /**
             * @description How long the present secret goes on signing beside the new one; 0 ends it within a second. From 0 to 604,800.
             * @default 86400
             */
            overlapSeconds: number;
        };
        TestEventView: {
            /**
             * @description The id of the event, the same over all its deliveries.
             * @example evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80
             */
            eventId: string;
            /**
             * @description Where to see whether it arrived.
             * @example whd_01999e8e7c5b7d0f9a3c5f2d1b4e6a77
             */
            deliveryId: string;
        };
        TestEventBody: {
            /**
             * @description Also one that the endpoint is not subscribed to.
             * @default session.completed
             * @enum {string}
             */
            type: "kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified";
        };
        EndpointDurationsView: {
            /**
             * @description How many attempts were looked at: the newest of the time.
             * @example 1204
             */
            attempts: number;
            /**
             * @description Half of them took no longer, in milliseconds.
             * @example 9
             */
            p50Ms: number | null;
            /**
             * @description Of a hundred, 95 took no longer.
             * @example 41
             */
            p95Ms: number | null;
            /**
             * @description Of a hundred, 99 took no longer.
             * @example 118
             */
            p99Ms: number | null;
        };
        EndpointHourView: {
            /**
             * Format: date-time
             * @description The beginning of the hour.
             * @example 2026-11-20T12:00:00.000Z
             */
            hour: string;
            /**
             * @description How many attempts.
             * @example 1204
             */
            attempts: number;
            /**
             * @description How many were delivered.
             * @example 1200
             */
            delivered: number;
            /**
             * @description How many attempts failed.
             * @example 4
             */
            failedAttempts: number;
            /**
             * @description Given up after the whole schedule.
             * @example 0
             */
            exhausted: number;
            /**
             * @description How many were cancelled.
             * @example 0
             */
            cancelled: number;
            /**
             * @description Of one attempt, in milliseconds.
             * @example 12
             */
            averageMs: number | null;
            /**
             * @description The longest time, in milliseconds.
             * @example 210
             */
            slowestMs: number;
            /**
             * @description The share of the attempts that succeeded, from 0 to 1.
             * @example 0.9967
             */
            successRate: number | null;
        };
        EndpointStatisticsView: {
            /**
             * @description Deliveries that wait; counted up to 10000.
             * @example 3
             */
            waiting: number;
            /**
             * Format: date-time
             * @description The age of the oldest of them.
             * @example 2026-11-20T12:00:00.000Z
             */
            waitingSince: string | null;
            /**
             * @description The share of the attempts that succeeded, from 0 to 1; null when there were none. From 0 to 1.
             * @example 0.9967
             */
            successRate: number | null;
            /** @description Of the newest attempts, up to 10000. */
            durations: components["schemas"]["EndpointDurationsView"];
            /** @description Hours in which anything happened, the newest first. */
            hours: components["schemas"]["EndpointHourView"][];
        };
        RecoveryView: {
            /**
             * @description The id of the recovery.
             * @example whr_01999e8e7c5b7d0f9a3c5f2d1b4e6a90
             */
            id: string;
            /**
             * @description The id of the webhook endpoint.
             * @example whe_01999e8e7c5b7d0f9a3c5f2d1b4e6a77
             */
            endpointId: string;
            /**
             * Format: date-time
             * @description From when.
             * @example 2026-11-20T12:00:00.000Z
             */
            since: string;
            /**
             * Format: date-time
             * @description Until when.
             * @example 2026-11-20T12:00:00.000Z
             */
            until: string;
            /**
             * @description Whether `since` is before the endpoint was made: it then gets events from before it was there.
             * @example false
             */
            beforeEndpoint: boolean;
            /** @description The types to which it applies. */
            types: ("kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified")[];
            /**
             * @description Whether it only counts and changes nothing.
             * @example false
             */
            dryRun: boolean;
            /**
             * @description CANCELLED: the endpoint was disabled or removed meanwhile.
             * @enum {string}
             */
            status: "QUEUED" | "RUNNING" | "COMPLETED" | "CANCELLED";
            /**
             * @description Percent of the range. From 0 to 100.
             * @example 40
             */
            progress: number;
            /**
             * @description Events of the range and the types so far.
             * @example 4000
             */
            events: number;
            /**
             * @description Of those, how many the endpoint had not got and are (in a dry run: would be) sent.
             * @example 37
             */
            recovered: number;
            /**
             * Format: date-time
             * @description When the recovery was created.
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the recovery finished; null before.
             * @example 2026-11-20T12:00:00.000Z
             */
            finishedAt: string | null;
        };
        RecoverBody: {
            /**
             * Format: date-time
             * @description Events from this time on.
             * @example 2026-11-20T00:00:00Z
             */
            since: string;
            /**
             * Format: date-time
             * @description Events before this time; now when left out.
             * @example 2026-11-20T12:00:00Z
             */
            until?: string;
            /** @description Only these; all that the endpoint is subscribed to when left out. */
            types?: ("kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified")[];
            /**
             * @description Only count what would be sent.
             * @default false
             */
            dryRun: boolean;
        };
        FeedPageInfoView: {
            /**
             * @description At most so many items are on a page.
             * @example 50
             */
            limit: number;
            /**
             * @description Keep it once the page is processed and send it as `cursor` next time. Null only at the end of the newest first.
             * @example WzQyLCIwMTk5OWU4ZS03YzViLTdkMGYtOWEzYy01ZjJkMWI0ZTZhMTEiXQ
             */
            nextCursor: string | null;
            /**
             * @description Whether more follows.
             * @example false
             */
            hasMore: boolean;
        };
        FeedView: {
            /** @description The same bodies that webhooks carry; process each id once, whichever way it came, and pass over a type that you do not know. */
            data: (components["schemas"]["TransactionQueuedEvent"] | components["schemas"]["TransactionCompletedEvent"] | components["schemas"]["TransactionDeadLetteredEvent"] | components["schemas"]["SessionCreatedEvent"] | components["schemas"]["SessionCompletedEvent"] | components["schemas"]["SessionReopenedEvent"] | components["schemas"]["CustomerIdentifiedEvent"])[];
            /** @description Where the list goes on. */
            page: components["schemas"]["FeedPageInfoView"];
            /**
             * @description What went wrong; null on success.
             * @example null
             */
            error: null;
        };
        OneEventView: {
            /** @description The body that webhooks carry; null when the person it is about was erased. */
            data: (components["schemas"]["TransactionQueuedEvent"] | components["schemas"]["TransactionCompletedEvent"] | components["schemas"]["TransactionDeadLetteredEvent"] | components["schemas"]["SessionCreatedEvent"] | components["schemas"]["SessionCompletedEvent"] | components["schemas"]["SessionReopenedEvent"] | components["schemas"]["CustomerIdentifiedEvent"]) | null;
            /**
             * @description What went wrong; null on success.
             * @example null
             */
            error: null;
        };
        ProfileRowBody: {
            /**
             * @description Your id of the customer.
             * @example customer-4711
             */
            externalCustomerId?: string;
            /**
             * @description A CPF or CNPJ.
             * @example 529.982.247-25
             */
            document?: string;
            /**
             * @description The name of the customer.
             * @example Maria Exemplo
             */
            name?: string;
            /**
             * Format: date
             * @description The date of birth, as `YYYY-MM-DD`.
             * @example 1980-05-17
             */
            birthDate?: string;
            /**
             * @description The income of a month.
             * @example 4800
             */
            monthlyIncome?: number;
            /**
             * @description Of a company, in reais.
             * @example 90000
             */
            monthlyRevenue?: number;
            /**
             * @description The occupation.
             * @example Nurse
             */
            occupation?: string;
            /**
             * @description Whether the person is politically exposed.
             * @example false
             */
            pep?: boolean;
            /**
             * @description The first level or a higher one; a lower one is refused and waits for nobody.
             * @enum {string}
             */
            riskLevel?: "LOW" | "MEDIUM" | "HIGH";
            /**
             * Format: date
             * @description The day since which there is a relation to the institution.
             * @example 2019-03-01
             */
            relationshipSince?: string;
            /**
             * @description The segment of customers.
             * @example RETAIL
             */
            segment?: string;
            /**
             * Format: date
             * @description The day as of which the row holds; today when left out. What is known of a later day stays.
             * @example 2024-12-31
             */
            asOf?: string;
        };
        RowProblemView: {
            /**
             * @description Counted from 1.
             * @example 17
             */
            line: number;
            /**
             * @description The place of it, as in `origin.cpfCnpj`.
             * @example monthlyIncome
             */
            path: string;
            /**
             * @description A stable code; a program may rely on it.
             * @example OUT_OF_RANGE
             */
            code: string;
            /** @description A sentence for people; its wording may change. */
            message: string;
        };
        ProfilesOutcomeView: {
            /**
             * @description How many rows there are.
             * @example 5000
             */
            rows: number;
            /**
             * @description Customers who had no record before, and have one now, or would with `preview`.
             * @example 40
             */
            created: number;
            /**
             * @description Rows by which a record came about or changed, or would with `preview`.
             * @example 4990
             */
            changed: number;
            /**
             * @description Rows that say nothing new: also those of an earlier request that was cut off.
             * @example 8
             */
            unchanged: number;
            /** @description Everything that is wrong with a row; the other rows are written. */
            problems: components["schemas"]["RowProblemView"][];
        };
        ClientCustomerView: {
            /**
             * @description The id of the customer.
             * @example cus_019364d0c0de7000a000000000000001
             */
            customerId: string;
            /**
             * @description Your id of the customer.
             * @example customer-4711
             */
            externalCustomerId: string | null;
            /**
             * @description Every id of yours by which the customer is found, the first one first.
             * @example [
             *       "customer-4711"
             *     ]
             */
            externalCustomerIds: string[];
            /**
             * @description The CPF or CNPJ, masked.
             * @example ***.456.789-**
             */
            documentMasked: string | null;
            /**
             * @description A natural or a legal person.
             * @enum {string|null}
             */
            personType: "NATURAL" | "LEGAL" | null;
            /**
             * @description How sure it is that this is the person.
             * @enum {string}
             */
            assurance: "DECLARED" | "DOCUMENT" | "VERIFIED";
            /**
             * Format: date-time
             * @description When it became known whose record this is.
             * @example 2026-11-20T12:00:00.000Z
             */
            identifiedAt: string;
        };
        IssuedLinkView: {
            /** @description The session. Whoever has it can act in it: keep it out of logs and analytics. */
            sessionId: string;
            /**
             * Format: uri
             * @description The page for the person; as sensitive as the id.
             */
            url: string;
            /**
             * Format: date-time
             * @description Until when the link is valid.
             * @example 2026-11-20T12:00:00.000Z
             */
            expiresAt: string;
            /**
             * @description Names the session without opening it: for tickets and logs.
             * @example kys_019364d0c0de7000a000000000000001
             */
            reference: string;
        };
        NewSessionBody: {
            /**
             * @description `onboarding-pf`, `step-up` or a flow of the organisation.
             * @example onboarding-pf
             */
            flowKey: string;
            /**
             * @description The integrator's own id. At most 128 characters.
             * @example customer-4711
             */
            externalCustomerId?: string;
            /**
             * @description A customer that is known, instead of `externalCustomerId`. Without either a new one is made.
             * @example cus_019364d0c0de7000a000000000000001
             */
            customerId?: string;
            /** @description How long the link lives; what the flow says when left out. From 5 to 43,200. */
            expiresInMinutes?: number;
            /** @description The session that this is another attempt of; it must be over. Its customer is kept. */
            previousSessionId?: string;
            /**
             * @description Where the page leads when everything is sent; one of those that the application has listed. At most 2,000 characters.
             * @example https://loja.example/cadastro/fim
             */
            redirectUrl?: string;
            /**
             * @description Your own notes, given back with the session, and in no event. No personal data.
             * @example {
             *       "order": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description Answers that you know already, as in `userData`. The person need not give them, and is not shown them.
             * @example {
             *       "name": "Maria Exemplo"
             *     }
             */
            prefill?: {
                [key: string]: unknown;
            };
        };
        EvidenceView: {
            /**
             * @description The name of the input.
             * @enum {string}
             */
            name: "TAX_ID" | "PROFILE" | "AGE" | "PEP_DECLARATION" | "LISTS" | "DOCUMENT_QUALITY" | "DOCUMENT_CODE" | "DUPLICATE_ARTIFACT" | "DOCUMENT" | "FACE_MATCH" | "LIVENESS" | "DOCUMENT_DATA" | "RECEITA" | "ADDRESS" | "CONTACT" | "OWNERS";
            /**
             * @description The state of the input.
             * @enum {string}
             */
            state: "HIT" | "NO_HIT" | "PARTIAL" | "ERROR" | "MISSING_INPUT" | "SKIPPED" | "STALE_SOURCE";
            /** @description Whether the result needs it to be defensible. */
            required: boolean;
            /**
             * @description Why it is in this state.
             * @example PROVIDER_ABSENT
             */
            reason: string | null;
            /**
             * @description Where the input comes from.
             * @example built-in
             */
            source: string;
            /**
             * Format: date-time
             * @description The instant for which it holds.
             * @example 2026-11-20T12:00:00.000Z
             */
            asOf: string;
            /** @description How many points it adds to the score. */
            points: number;
            /**
             * @description What weakens it: a code that nobody verified, providers that did not answer.
             * @example []
             */
            remarks: string[];
        };
        SessionResultView: {
            /**
             * @description What a person decided, or else what the checks came to.
             * @enum {string}
             */
            outcome: "APPROVED" | "REVIEW" | "REJECTED";
            /** @description Left out where there is none. From 0 to 100. */
            riskScore?: number;
            /**
             * @description Whether the score has all that it needs.
             * @enum {string}
             */
            composition: "COMPLETE" | "PARTIAL" | "MISSING" | "INCONSISTENT";
            /** @description Whether the score can be defended. */
            defensible: boolean;
            /**
             * @description Why the score cannot be defended; empty when it can.
             * @example [
             *       "FACE_MATCH_MISSING_INPUT"
             *     ]
             */
            nonDefensibleReasons: string[];
            /** @description What speaks for it, with its source. */
            evidence: components["schemas"]["EvidenceView"][];
        };
        SessionDecisionView: {
            /**
             * @description The outcome.
             * @enum {string}
             */
            outcome: "APPROVED" | "REJECTED";
            /**
             * @description Who or what decided it.
             * @enum {string}
             */
            by: "PERSON";
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-11-20T12:00:00.000Z
             */
            decidedAt: string;
        };
        SessionView: {
            /**
             * @description Names it without opening it.
             * @example kys_019364d0c0de7000a000000000000001
             */
            reference: string;
            /** @description The capability; null for those who may not make links. */
            sessionId: string | null;
            /**
             * Format: uri
             * @description While PENDING; null as `sessionId`.
             */
            url: string | null;
            /**
             * @description The status of the session.
             * @enum {string}
             */
            status: "PENDING" | "PROCESSING" | "COMPLETED" | "EXPIRED";
            /**
             * @description Why it stands there.
             * @enum {string|null}
             */
            statusReason: "TIMEOUT" | "CANCELLED" | "CHECKED" | null;
            /**
             * @description The id of the customer.
             * @example cus_019364d0c0de7000a000000000000001
             */
            customerId: string;
            /**
             * @description The key of the flow.
             * @example onboarding-pf
             */
            flowKey: string;
            /** @description The version of the flow. */
            flowVersion: number;
            /** @description The name of the flow. */
            flowName: string;
            /**
             * @description What led to it.
             * @enum {string}
             */
            trigger: "OPERATOR" | "STEP_UP" | "API" | "COMPANY" | "REVERIFICATION";
            /** @description The transaction whose rule asked for it. */
            transactionRef: string | null;
            /** @description 1, or more when it is another attempt. */
            attempt: number;
            /**
             * @description 1, and one more each time that steps were asked for again.
             * @example 1
             */
            round: number;
            /**
             * @description The number that the person is given at the end.
             * @example 20261120-7F3K9Q2M
             */
            protocol: string;
            /**
             * @description The version of the privacy notice that it shows, and that is accepted with it.
             * @example 3
             */
            privacyNoticeVersion: number | null;
            /** @description `reference` of the session of the company that it belongs to. */
            parentReference: string | null;
            /** @description `reference` of the verified session whose evidence it takes over. */
            reusedReference: string | null;
            /**
             * @description What whoever made it gave along.
             * @example {
             *       "order": "4711"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description `reference` of the session before. */
            previousReference: string | null;
            /**
             * Format: date-time
             * @description When the session was created.
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when the session is valid.
             * @example 2026-11-20T12:00:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was submitted; null before.
             * @example 2026-11-20T12:00:00.000Z
             */
            submittedAt: string | null;
            /**
             * Format: date-time
             * @description When the session ended; null while it is open.
             * @example 2026-11-20T12:00:00.000Z
             */
            endedAt: string | null;
            /** @description What came of it. */
            result: components["schemas"]["SessionResultView"] | null;
            /** @description What a person decided about a session that had to be looked at. */
            decision: components["schemas"]["SessionDecisionView"] | null;
        };
        NotEvaluatedView: {
            /**
             * @description The key of the rule.
             * @example BR-PIX-05
             */
            ruleId: string;
            /**
             * @description Features without a value, or of which only a bound is known.
             * @example [
             *       "dict.confirmedFrauds30d"
             *     ]
             */
            missing: string[];
        };
        ReceiptData: {
            /**
             * @description Your id of the transaction.
             * @example pix-2026-000001
             */
            transactionId: string;
            /**
             * @description Now; QUEUED for a new submission.
             * @example QUEUED
             * @enum {string}
             */
            status: "QUEUED" | "PROCESSING" | "COMPLETED" | "DEAD_LETTERED";
            /**
             * @description Whether the submission was accepted: always true.
             * @example true
             */
            accepted: boolean;
            /**
             * @description True when the submission replays an earlier one.
             * @example false
             */
            duplicate: boolean;
            /**
             * @description The id of the request, as in `X-Request-Id`.
             * @example req_019364d0c0de7000a000000000000001
             */
            requestId: string;
            /**
             * @description Ties together what belongs together; yours, if you sent one.
             * @example order-4711
             */
            correlationId: string;
            /**
             * @description What was accepted but deserves a look: UNKNOWN_TYPE, UNKNOWN_CHANNEL, LATE_FOR_SELECTION, METADATA_IGNORED, PLACEHOLDER_IGNORED, CUSTOM_FIELD_MISMATCH, INPUT_SAID_MISSING (it is used; the application has said that it does not send it).
             * @example [
             *       "UNKNOWN_TYPE"
             *     ]
             */
            warnings?: string[];
            /**
             * @description In the sandbox, for an unknown type: the type that was probably meant.
             * @example PIX_TRANSFER
             */
            didYouMean?: string;
            /** @description The request of the first submission, when this one repeats it. */
            originalRequestId?: string;
        };
        ReceiptView: {
            /** @description What was asked for; null where there is an error. */
            data: components["schemas"]["ReceiptData"];
            /**
             * @description What went wrong; null on success.
             * @example null
             */
            error: null;
        };
        NextActionView: {
            /**
             * @description The type of the action.
             * @enum {string}
             */
            type: "STEP_UP_SESSION";
            /** @description Whoever holds it can use the session: keep it on the server. */
            sessionId: string;
            /**
             * @description The page for the customer; as secret as the id.
             * @example https://vigia.example.com/verify/ses_Zk9m2Qy7Vb4Xr8Tn1Lw6Jd3Hs5
             */
            url: string;
            /**
             * Format: date-time
             * @description Until when the action is valid.
             * @example 2026-11-20T12:30:01.254Z
             */
            expiresAt: string;
        };
        PersonsDecisionView: {
            /**
             * @description The outcome.
             * @example APPROVED
             * @enum {string}
             */
            outcome: "APPROVED" | "REJECTED";
            /**
             * @description Who or what decided it.
             * @example PERSON
             * @enum {string}
             */
            by: "PERSON";
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-11-20T12:00:00.000Z
             */
            decidedAt: string;
            /**
             * @description Whether one person decided alone, because nobody independent was there.
             * @example false
             */
            singleControl: boolean;
        };
        TransactionFailureView: {
            /**
             * @description A stable code; a program may rely on it.
             * @example SEALED_BODY_BROKEN
             */
            code: string;
            /**
             * @description The step at which it stopped.
             * @example OPEN
             */
            stage: string;
            /**
             * @description How many attempts there were.
             * @example 5
             */
            attempts: number;
        };
        TransactionData: {
            /**
             * @description Your id of the transaction.
             * @example pix-2026-000001
             */
            transactionId: string;
            /**
             * @description The status of the transaction.
             * @example COMPLETED
             * @enum {string}
             */
            status: "QUEUED" | "PROCESSING" | "COMPLETED" | "DEAD_LETTERED";
            /**
             * Format: date-time
             * @description When it was received.
             * @example 2026-11-20T12:00:00.000Z
             */
            receivedAt: string;
            /**
             * Format: date-time
             * @description When it took place.
             * @example 2026-11-20T12:00:00.000Z
             */
            occurredAt: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            requestId: string;
            /** @description Ties together what belongs together; yours, if you sent one. */
            correlationId: string;
            /** @description What is unusual and was accepted nevertheless. */
            warnings: string[];
            /**
             * @description The one field to act on. Null until there is an evaluation: never a RELEASE.
             * @example RELEASE
             * @enum {string|null}
             */
            verdict: "RELEASE" | "CHALLENGE" | "HOLD" | "DECLINE" | null;
            /** @description What the customer has to do; null when nothing. */
            nextAction: components["schemas"]["NextActionView"] | null;
            /**
             * @description The outcome.
             * @example APPROVED
             * @enum {string|null}
             */
            outcome: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED" | null;
            /**
             * @description What the rules advise to do.
             * @example NONE
             * @enum {string|null}
             */
            recommendedAction: "NONE" | "STEP_UP" | "HOLD" | "DECLINE" | null;
            /**
             * @description Null when there is none: a missing score is never a zero. From 0 to 100.
             * @example 0
             */
            riskScore: number | null;
            /**
             * @description The band of the score.
             * @example LOW
             * @enum {string|null}
             */
            riskLevel: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL" | null;
            /** @description False: the score is informational only, and not defensible for approval. */
            defensible: boolean | null;
            /**
             * @description Whether the score has all that it needs.
             * @example COMPLETE
             * @enum {string|null}
             */
            composition: "COMPLETE" | "PARTIAL" | "MISSING" | "INCONSISTENT" | null;
            /**
             * @description Per component its state (HIT, NO_HIT, HIT_DISMISSED, PARTIAL, ERROR, MISSING_INPUT, SKIPPED, STALE_SOURCE), source, asOf and points.
             * @example {
             *       "IDENTITY": {
             *         "state": "NO_HIT",
             *         "source": "submission",
             *         "asOf": "2026-11-20T12:00:00.000Z",
             *         "points": 0
             *       }
             *     }
             */
            components: {
                [key: string]: unknown;
            } | null;
            /** @description Why the score cannot be defended. */
            nonDefensibleReasons: string[];
            /** @description Live rules that could not tell, and what they lacked; RULES is PARTIAL where that was not accepted by the author of the rule. */
            notEvaluated: components["schemas"]["NotEvaluatedView"][];
            /**
             * @description Components that the ruleset would need, but for the channel, or because the application has said that it does not send their input (`withoutInputs`).
             * @example []
             */
            exempt: string[];
            /**
             * @description What was not looked at because the application has said that it does not send it: DICT, DEVICE, PROFILE, COUNTERPARTY_DOCUMENT.
             * @example []
             */
            withoutInputs: string[];
            /** @description The rules that hit, each with what it saw. */
            reasons: {
                [key: string]: unknown;
            }[];
            /** @description Whether a person still has to decide. */
            reviewRequired: boolean | null;
            /**
             * @description The newest review that it is part of.
             * @example null
             */
            reviewId: string | null;
            /** @description When a person has decided: `outcome` is theirs, the evaluation stays what it was. */
            decision: components["schemas"]["PersonsDecisionView"] | null;
            /**
             * @description What the score is the sum of: per group of rules its points, its cap, and what counted.
             * @example [
             *       {
             *         "group": "STRUCTURING",
             *         "points": 70,
             *         "cap": 60,
             *         "counted": 60
             *       }
             *     ]
             */
            groups: {
                [key: string]: unknown;
            }[];
            /**
             * @description What dampeners took away. At most 0.
             * @example 0
             */
            dampening: number;
            /**
             * @description What hits mean beside their points: REPORT_COE (a cash report is due), EVIDENCE_GAP.
             * @example []
             */
            flags: string[];
            /**
             * @description What rules ask for beside a review, such as a step-up session.
             * @example []
             */
            requestedActions: {
                [key: string]: string;
            }[];
            /**
             * @description The ruleset and its version, as `key@version`.
             * @example br-starter@1
             */
            rulesetVersion: string | null;
            /** @description SHA-256 of the ruleset, in hexadecimal. */
            rulesetHash: string | null;
            /**
             * @description Counts the evaluations of the transaction from 1.
             * @example 1
             */
            evaluationVersion: number | null;
            /**
             * Format: date-time
             * @description When it was evaluated.
             * @example 2026-11-20T12:00:00.000Z
             */
            evaluatedAt: string | null;
            /** @description SHA-256 of the decision receipt. */
            receiptHash: string | null;
            /** @description Only when dead-lettered. */
            failure?: components["schemas"]["TransactionFailureView"];
        };
        TransactionView: {
            /** @description What was asked for; null where there is an error. */
            data: components["schemas"]["TransactionData"];
            /**
             * @description What went wrong; null on success.
             * @example null
             */
            error: null;
        };
        /** @description Somebody behind a participant. */
        PersonBehindBody: {
            /**
             * @description Beneficial owner or representative.
             * @example OWNER
             * @enum {string}
             */
            role: "OWNER" | "REPRESENTATIVE";
            /**
             * @description Name of the person or organisation. From 1 to 256 characters.
             * @example Bruno Exemplo
             */
            name: string;
            /**
             * @description CPF or CNPJ, full or masked. From 11 to 32 characters.
             * @example 529.982.247-25
             */
            cpfCnpj?: string | null;
            /**
             * Format: date
             * @description Date of birth. At most 10 characters.
             * @example 1980-05-17
             */
            birthDate?: string | null;
            /**
             * @description Nationality, ISO 3166-1 alpha-2.
             * @example BR
             */
            nationality?: string | null;
        };
        /** @description One side of a transaction, as far as it is known; an empty object says that nothing is. */
        ParticipantBody: {
            /**
             * @description Name of the person or organisation. From 1 to 256 characters.
             * @example Ana Exemplo da Silva
             */
            name?: string | null;
            /**
             * @description CPF or CNPJ, full or masked. From 11 to 32 characters.
             * @example ***.456.789-**
             */
            cpfCnpj?: string | null;
            /**
             * @description Account, in the form the integrator uses. From 1 to 256 characters.
             * @example 0001/12345-6
             */
            accountReference?: string | null;
            /**
             * @description Bank, for example its ISPB or BIC. From 1 to 256 characters.
             * @example 00000000
             */
            bankReference?: string | null;
            /**
             * @description Wallet or address of a virtual asset. From 1 to 256 characters.
             * @example wallet-0001
             */
            walletReference?: string | null;
            /**
             * @description Country, ISO 3166-1 alpha-2.
             * @example BR
             */
            country?: string | null;
            /** @description Beneficial owners and representatives; each is screened against the lists. At most 10 items. */
            people?: components["schemas"]["PersonBehindBody"][] | null;
            /** @description Free-form context of this participant. At most 16 KiB as JSON, 5 levels, 100 keys. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A transaction submitted for monitoring. Fields that are not named here are refused. */
        IngestTransactionBody: {
            /**
             * @description The identifier in the integrator’s system, never reused; makes retries safe. At most 128 characters.
             * @example pix-2026-000001
             */
            transactionId: string;
            /**
             * @description The integrator’s identifier of its customer. From 1 to 256 characters.
             * @example customer-4711
             */
            externalCustomerId?: string | null;
            /**
             * @description CPF or CNPJ of the customer, with or without punctuation, including the alphanumeric CNPJ. A masked value is kept as masked and makes the identity incomplete. From 11 to 32 characters.
             * @example 529.982.247-25
             */
            cpfCnpj?: string | null;
            /**
             * @description Business type. An open set; another value is accepted with a warning. Known: PIX_TRANSFER, PIX_PAYMENT, PIX_REFUND, PIX_WITHDRAWAL, TED_TRANSFER, INTERNAL_TRANSFER, BOLETO_PAYMENT, CARD_PURCHASE, CARD_REFUND, CARD_WITHDRAWAL, CASH_DEPOSIT, CASH_WITHDRAWAL, CASH_CONTRIBUTION, CASH_PAYMENT, CASH_PROVISION, ACCOUNT_CREDIT, ACCOUNT_DEBIT, LOAN_DISBURSEMENT, LOAN_PAYMENT, FX_INBOUND, FX_OUTBOUND, CRYPTO_BUY, CRYPTO_SELL, CRYPTO_TRANSFER, BET_DEPOSIT, BET_WITHDRAWAL, OTHER. At most 64 characters.
             * @example PIX_TRANSFER
             */
            type: string;
            /**
             * @description Where the transaction was ordered. An open set; another value is accepted with a warning. Known: WEB, MOBILE_APP, BACKOFFICE, API, BRANCH, ATM, POS, CALL_CENTER, OPEN_FINANCE, PARTNER, BATCH, OTHER. At most 64 characters.
             * @example MOBILE_APP
             */
            channel: string;
            /**
             * Format: decimal
             * @description Greater than zero, with no more decimals than the currency has. At most 999,999,999,999.99.
             * @example 850.75
             */
            amount: number;
            /**
             * @description ISO 4217 alpha-3.
             * @example BRL
             */
            currency: string;
            /**
             * Format: date-time
             * @description When it occurred: RFC 3339 with seconds and offset, at most 5 minutes ahead of now. Older than 45 days is accepted with the warning LATE_FOR_SELECTION. At most 40 characters.
             * @example 2026-11-20T12:34:56.789-03:00
             */
            occurredAt: string;
            /**
             * @description Where the money comes from; `{}` when unknown.
             * @example {
             *       "name": "Ana Exemplo",
             *       "accountReference": "0001/12345-6",
             *       "country": "BR"
             *     }
             */
            origin: components["schemas"]["ParticipantBody"];
            /**
             * @description Where the money goes to; `{}` when unknown.
             * @example {
             *       "name": "Loja Exemplo",
             *       "cpfCnpj": "12.345.678/0001-95",
             *       "country": "BR"
             *     }
             */
            destination: components["schemas"]["ParticipantBody"];
            /**
             * @description Free-form context; not part of what makes two submissions equal. At most 16 KiB as JSON, 5 levels, 100 keys.
             * @example {
             *       "direction": "OUT",
             *       "deviceId": "dev-9f2c41",
             *       "deviceRegistered": true,
             *       "ipAddress": "198.51.100.24",
             *       "dict": {
             *         "statistics": {
             *           "KEY": {
             *             "CONFIRMED_FRAUDS": {
             *               "d30": 0
             *             },
             *             "REPORTED_FRAUDS": {
             *               "d30": 0
             *             }
             *           }
             *         }
             *       }
             *     }
             */
            metadata?: ({
                /**
                 * @description Which way the money went, seen from the customer. Without it, it is derived or assumed.
                 * @enum {string|null}
                 */
                direction?: "IN" | "OUT" | null;
                /**
                 * @description Identifier of the device that ordered the transaction.
                 * @example dev-9f2c41
                 */
                deviceId?: string | null;
                /**
                 * @description Address the order came from.
                 * @example 203.0.113.7
                 */
                ipAddress?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
        };
        BatchSummary: {
            /**
             * @description How many were accepted.
             * @example 98
             */
            accepted: number;
            /**
             * @description How many were sent before with the same content.
             * @example 1
             */
            duplicates: number;
            /**
             * @description How many were refused.
             * @example 1
             */
            failed: number;
        };
        ErrorObjectView: {
            /**
             * @description A stable code; a program may rely on it.
             * @example VALIDATION_FAILED
             * @enum {string}
             */
            code: "VALIDATION_FAILED" | "MALFORMED_JSON" | "UNSUPPORTED_VERSION" | "STEPS_INCOMPLETE" | "CURSOR_INVALID" | "CREDENTIALS_MISSING" | "CREDENTIALS_INVALID" | "TOKEN_EXPIRED" | "TOTP_REQUIRED" | "APP_DISABLED" | "SCOPE_INSUFFICIENT" | "SANDBOX_ONLY" | "IP_NOT_ALLOWED" | "OPERATOR_DISABLED" | "CSRF_TOKEN_INVALID" | "PERMISSION_DENIED" | "STRONG_LOGIN_REQUIRED" | "FOUR_EYES_REQUIRED" | "HTTPS_REQUIRED" | "ROUTE_NOT_FOUND" | "FILE_NOT_FOUND" | "APP_NOT_FOUND" | "OPERATOR_NOT_FOUND" | "AUDIT_ENTRY_NOT_FOUND" | "AUDIT_EXPORT_NOT_FOUND" | "REPAIR_NOT_FOUND" | "LOG_RESTART_NOT_FOUND" | "SECRET_NOT_FOUND" | "ENDPOINT_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "RECOVERY_NOT_FOUND" | "EVENT_NOT_FOUND" | "IDENTITY_PROVIDER_NOT_CONFIGURED" | "PASSKEYS_NOT_CONFIGURED" | "PASSKEY_NOT_FOUND" | "OPERATOR_SESSION_NOT_FOUND" | "INVITATION_NOT_FOUND" | "INVITATION_INVALID" | "TRANSACTION_NOT_FOUND" | "EVALUATION_NOT_FOUND" | "DEAD_LETTER_NOT_FOUND" | "APPROVAL_NOT_FOUND" | "RULE_NOT_FOUND" | "RULESET_NOT_FOUND" | "BACKTEST_NOT_FOUND" | "BACKFILL_NOT_FOUND" | "LOOK_BACK_NOT_FOUND" | "LIST_NOT_FOUND" | "ENTRY_NOT_FOUND" | "IMPORT_NOT_FOUND" | "HIT_NOT_FOUND" | "FREEZE_NOT_FOUND" | "COMMUNICATION_NOT_FOUND" | "ARTIFACT_NOT_FOUND" | "SESSION_NOT_FOUND" | "STEP_NOT_FOUND" | "FLOW_NOT_FOUND" | "PROVIDER_NOT_FOUND" | "CUSTOMER_NOT_FOUND" | "REVIEW_NOT_FOUND" | "VIEW_NOT_FOUND" | "SNOOZE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "FEED_REWOUND" | "TRANSACTION_ID_CONFLICT" | "EVENT_ID_CONFLICT" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_OUTCOME_UNKNOWN" | "IDEMPOTENCY_KEY_REUSED" | "SESSION_ALREADY_SUBMITTED" | "STATE_CONFLICT" | "AUDIT_TRAIL_INCOMPLETE" | "MANDATORY_REVIEW_OPEN" | "RELATED_TRANSACTIONS_OPEN" | "RETENTION_REQUIRED" | "SESSION_EXPIRED" | "FILE_TOO_LARGE" | "QUOTA_EXCEEDED" | "TOO_MANY_ARTIFACTS" | "BODY_TOO_LARGE" | "MEDIA_TYPE_UNSUPPORTED" | "FILE_TYPE_UNSUPPORTED" | "AUDIT_EXPORT_GONE" | "RANGE_NOT_SATISFIABLE" | "ARTIFACT_NOT_SHOWABLE" | "ARTIFACT_GONE" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "MALFORMED_REQUEST" | "REQUEST_TIMEOUT" | "INTERNAL_ERROR" | "OVERLOADED" | "MAIL_UNAVAILABLE" | "OUTCOME_UNKNOWN" | "CUSTOM_FIELDS_ALTERED" | "NOT_READY";
            /** @description A sentence for people; its wording may change. */
            message: string;
            /** @description What is wrong, place by place; empty where there is nothing more to say. */
            details: components["schemas"]["ErrorDetailView"][];
            /** @description The id of the request, as in `X-Request-Id`. */
            requestId: string;
            /** @description Ties together what belongs together; yours, if you sent one. */
            correlationId: string;
            /** @description Whether the same request may succeed later. */
            retryable: boolean;
            /**
             * @description Where the code is explained.
             * @example https://vigia.example/docs/errors#VALIDATION_FAILED
             */
            docs: string;
        };
        BatchItemView: {
            /**
             * @description Position of the item in the request.
             * @example 0
             */
            index: number;
            /**
             * @description The status that the item alone would have been answered with.
             * @example 202
             */
            status: number;
            /** @description The receipt; with `wait` the transaction as it reads back, when it was decided in time. */
            data: components["schemas"]["ReceiptData"] | components["schemas"]["TransactionData"] | null;
            /** @description What went wrong; null on success. */
            error: components["schemas"]["ErrorObjectView"] | null;
        };
        BatchData: {
            /** @description How many there are of each. */
            summary: components["schemas"]["BatchSummary"];
            /** @description One result per item, in the order of the request. */
            results: components["schemas"]["BatchItemView"][];
        };
        BatchView: {
            /** @description What was asked for; null where there is an error. */
            data: components["schemas"]["BatchData"];
            /**
             * @description What went wrong; null on success.
             * @example null
             */
            error: null;
        };
        TransactionEventsView: {
            /** @description The same bodies that webhooks carry; process each id once, whichever way it came, and pass over a type that you do not know. */
            data: (components["schemas"]["TransactionQueuedEvent"] | components["schemas"]["TransactionCompletedEvent"] | components["schemas"]["TransactionDeadLetteredEvent"] | components["schemas"]["SessionCreatedEvent"] | components["schemas"]["SessionCompletedEvent"] | components["schemas"]["SessionReopenedEvent"] | components["schemas"]["CustomerIdentifiedEvent"])[];
            /**
             * @description What went wrong; null on success.
             * @example null
             */
            error: null;
        };
        /** @description An event of a customer that moves no money. Fields that are not named here are refused. */
        CustomerEventBody: {
            /**
             * @description The identifier in the integrator’s system, never reused; makes retries safe. At most 128 characters.
             * @example login-2026-000001
             */
            eventId: string;
            /**
             * @description What happened.
             * @example PASSWORD_CHANGED
             * @enum {string}
             */
            type: "LOGIN" | "LOGIN_FAILED" | "DEVICE_ENROLLED" | "PASSWORD_CHANGED" | "SECOND_FACTOR_CHANGED" | "CONTACT_CHANGED" | "LIMIT_RAISED" | "PIX_KEY_REGISTERED" | "PIX_KEY_REMOVED" | "BENEFICIARY_ADDED";
            /**
             * Format: date-time
             * @description When it occurred: RFC 3339 with seconds and offset, at most 5 minutes ahead of now. At most 40 characters.
             * @example 2026-11-20T12:30:00.000-03:00
             */
            occurredAt: string;
            /**
             * @description The integrator’s identifier of its customer. This or `cpfCnpj` is needed. From 1 to 256 characters.
             * @example customer-4711
             */
            externalCustomerId?: string | null;
            /**
             * @description CPF or CNPJ of the customer, as in a transaction. From 11 to 32 characters.
             * @example 529.982.247-25
             */
            cpfCnpj?: string | null;
            /**
             * @description The account that it is about. From 1 to 256 characters.
             * @example 0001/12345-6
             */
            accountReference?: string | null;
            /**
             * @description Identifier of the device. From 1 to 256 characters.
             * @example dev-9f2c41
             */
            deviceId?: string | null;
            /**
             * @description Address it came from. From 1 to 256 characters.
             * @example 198.51.100.24
             */
            ipAddress?: string | null;
            /**
             * @description Where it was done. An open set; another value is accepted with a warning. Known: WEB, MOBILE_APP, BACKOFFICE, API, BRANCH, ATM, POS, CALL_CENTER, OPEN_FINANCE, PARTNER, BATCH, OTHER. At most 64 characters.
             * @example MOBILE_APP
             */
            channel?: string | null;
            /** @description Free-form context; not part of what makes two submissions equal. At most 16 KiB as JSON, 5 levels, 100 keys. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        EventReceiptData: {
            /**
             * @description Your id of the event.
             * @example login-2026-000001
             */
            eventId: string;
            /**
             * @description Whether the event was accepted: always true.
             * @example true
             */
            accepted: boolean;
            /**
             * @description True when the event was stored before.
             * @example false
             */
            duplicate: boolean;
            /**
             * @description The id of the request, as in `X-Request-Id`.
             * @example req_019364d0c0de7000a000000000000001
             */
            requestId: string;
            /**
             * @description Ties together what belongs together; yours, if you sent one.
             * @example order-4711
             */
            correlationId: string;
            /**
             * @description What was accepted but deserves a look: UNKNOWN_CHANNEL, PLACEHOLDER_IGNORED.
             * @example [
             *       "UNKNOWN_CHANNEL"
             *     ]
             */
            warnings?: string[];
            /** @description The request of the first submission, when this one repeats it. */
            originalRequestId?: string;
        };
        EventReceiptView: {
            /** @description What was asked for; null where there is an error. */
            data: components["schemas"]["EventReceiptData"];
            /**
             * @description What went wrong; null on success.
             * @example null
             */
            error: null;
        };
        EventBatchItemView: {
            /**
             * @description Position of the item in the request.
             * @example 0
             */
            index: number;
            /**
             * @description The status that the item alone would have been answered with.
             * @example 202
             */
            status: number;
            /** @description The receipt. */
            data: components["schemas"]["EventReceiptData"] | null;
            /** @description What went wrong; null on success. */
            error: components["schemas"]["ErrorObjectView"] | null;
        };
        EventBatchData: {
            /** @description How many there are of each. */
            summary: components["schemas"]["BatchSummary"];
            /** @description One result per item, in the order of the request. */
            results: components["schemas"]["EventBatchItemView"][];
        };
        EventBatchView: {
            /** @description What was asked for; null where there is an error. */
            data: components["schemas"]["EventBatchData"];
            /**
             * @description What went wrong; null on success.
             * @example null
             */
            error: null;
        };
        /** @description The customer of a legacy transaction. */
        LegacyCustomerBody: {
            /**
             * @description The integrator’s identifier of its customer. From 1 to 256 characters.
             * @example customer-4711
             */
            id?: string | null;
            /**
             * @description Name of the customer. From 1 to 256 characters.
             * @example Ana Exemplo da Silva
             */
            name?: string | null;
            /**
             * @description CPF or CNPJ of the customer, full or masked. From 11 to 32 characters.
             * @example 529.982.247-25
             */
            document?: string | null;
        };
        /** @description A transaction in the older, simpler contract. Fields that are not named here are refused. */
        LegacyTransactionBody: {
            /**
             * @description The identifier in the integrator’s system; without it, the header Idempotency-Key is needed. At most 128 characters.
             * @example order-000001
             */
            transactionId?: string | null;
            /** @description Whose transaction it is; `{}` when unknown. */
            customer: components["schemas"]["LegacyCustomerBody"];
            /**
             * Format: decimal
             * @description Greater than zero, with no more decimals than the currency has. At most 999,999,999,999.99.
             * @example 120.5
             */
            amount: number;
            /**
             * @description ISO 4217 alpha-3.
             * @default BRL
             * @example BRL
             */
            currency: string | null;
            /**
             * @description Business type, as in the ingest contract; OTHER without it. At most 64 characters.
             * @example PIX_TRANSFER
             */
            type?: string | null;
            /**
             * @description Free-form context; not part of what makes two submissions equal. At most 16 KiB as JSON, 5 levels, 100 keys.
             * @example {
             *       "channel": "pos"
             *     }
             */
            metadata?: ({
                /**
                 * @description Which way the money went, seen from the customer. Without it, it is derived or assumed.
                 * @enum {string|null}
                 */
                direction?: "IN" | "OUT" | null;
                /**
                 * @description Identifier of the device that ordered the transaction.
                 * @example dev-9f2c41
                 */
                deviceId?: string | null;
                /**
                 * @description Address the order came from.
                 * @example 203.0.113.7
                 */
                ipAddress?: string | null;
                /**
                 * Format: date-time
                 * @description When the transaction occurred; without it, when it was received. At most 40 characters.
                 */
                occurredAt?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
        };
        ScenarioView: {
            /**
             * @description What `metadata.sandboxScenario` has to be.
             * @example release
             */
            name: string;
            /**
             * @description What it stands for.
             * @example Nothing speaks against it.
             */
            what: string;
            /**
             * @description The status once it is over.
             * @example COMPLETED
             * @enum {string}
             */
            status: "COMPLETED" | "DEAD_LETTERED";
            /**
             * @description What to do, once it is over; null where it is never decided.
             * @example RELEASE
             * @enum {string|null}
             */
            verdict: "RELEASE" | "CHALLENGE" | "HOLD" | "DECLINE" | null;
            /**
             * @description Whether the score can be defended.
             * @example true
             */
            defensible: boolean | null;
            /**
             * @description Reason codes, or reasons against the defence, that its result has among others.
             * @example [
             *       "DICT_FRAUD_MARKERS"
             *     ]
             */
            reasons: string[];
            /** @description The events about it, in their order. */
            events: ("kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified")[];
            /**
             * @description What to do next.
             * @example null
             */
            then: string | null;
        };
        MagicDocumentView: {
            /**
             * @description How the CPF begins.
             * @example 900
             */
            prefix: string;
            /**
             * @description What the checks of a session say of it, where no provider is configured.
             * @example Every check passes.
             */
            what: string;
        };
        ScenariosView: {
            /** @description What can be named in a submission. */
            scenarios: components["schemas"]["ScenarioView"][];
            /** @description CPFs that decide how a session ends. */
            documents: components["schemas"]["MagicDocumentView"][];
            /**
             * @description What an endpoint has in its address whose first attempts are to fail, each with 500.
             * @example ?sandboxFailures=1
             */
            webhookFailures: string;
            /**
             * @description What the organisation lacks of what the promises need.
             * @example []
             */
            missing: string[];
        };
        AuditCheckpointView: {
            /**
             * @description The name of the log.
             * @example vigia/sandbox/t/01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071/i/1
             */
            origin: string;
            /**
             * @description Number of entries in the log.
             * @example 4711
             */
            size: number;
            /**
             * @description Root of the Merkle tree over them, base64.
             * @example qqIDzZ7Hn2qZmF0gYQGGGQv8bXz4NqkXnUQX2b3r1dQ=
             */
            root: string;
            /**
             * Format: date-time
             * @description When it was signed.
             * @example 2026-11-20T12:00:01.000Z
             */
            signedAt: string;
            /**
             * @description Base64 of four bytes of key hash and the Ed25519 signature over the lines origin, size, root and `time <signedAt>`, each with its newline.
             * @example x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
             */
            signature: string;
        };
        WebhookEnvelope: {
            /**
             * @description Stable over retries and replays, and equal to the header webhook-id: process each id once.
             * @example evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80
             */
            id: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T12:00:01.254Z
             */
            timestamp: string;
            /**
             * @description The version of the interface in which it is written.
             * @example 2026-11-01
             */
            apiVersion: string;
            /**
             * @description The environment that sent it.
             * @example sandbox
             */
            environment: string;
            /**
             * @description Grows per resource. Order is not guaranteed: drop an event that is older than the last one seen.
             * @example 2
             */
            sequence: number;
            /**
             * @description Ties together what belongs together; yours, if you sent one.
             * @example 5f0c2a4e-2f0b-4d7e-9a55-0b7f0f9c2a11
             */
            correlationId: string;
            /**
             * @description True for an event that an operator sent to try the endpoint.
             * @example false
             */
            test: boolean;
            /** @description The newest signed checkpoint of the audit log when the event was made; null before the first. Keep it: with it you can prove later that the log was not shortened or rewritten. */
            audit: components["schemas"]["AuditCheckpointView"] | null;
            /** @description What happened; its members depend on `type`. */
            data: {
                [key: string]: unknown;
            };
        };
        TransactionQueuedData: {
            /**
             * @description Your id of the transaction.
             * @example pix-2026-000001
             */
            transactionId: string;
            /**
             * @description The status of the transaction.
             * @enum {string}
             */
            status: "QUEUED";
            /**
             * @description Your id of the customer.
             * @example customer-4711
             */
            externalCustomerId: string | null;
            /**
             * @description The id of the request, as in `X-Request-Id`.
             * @example req_019364d0c0de7000a000000000000001
             */
            requestId: string;
            /**
             * @description Ties together what belongs together; yours, if you sent one.
             * @example 5f0c2a4e-2f0b-4d7e-9a55-0b7f0f9c2a11
             */
            correlationId: string;
            /**
             * Format: date-time
             * @description When it was received.
             * @example 2026-11-20T12:00:01.240Z
             */
            receivedAt: string;
        };
        NotEvaluatedRule: {
            /**
             * @description The key of the rule.
             * @example BR-PIX-05
             */
            ruleId: string;
            /**
             * @description Features without a value, or of which only a bound is known.
             * @example [
             *       "dict.confirmedFrauds30d"
             *     ]
             */
            missing: string[];
        };
        ReasonMessage: {
            /**
             * @description In Brazilian Portuguese.
             * @example Muitas transações em 24 horas
             */
            "pt-BR": string;
            /**
             * @description In English.
             * @example Many transactions within 24 hours
             */
            en: string;
        };
        ReasonLegalBasis: {
            /**
             * @description The law or rule.
             * @example BCB Circular 3.978/2020
             */
            norm: string;
            /**
             * @description The article or number of the norm.
             * @example art. 39
             */
            item: string;
            /**
             * @description The code of the occurrence in Siscoaf.
             * @example null
             */
            siscoafCode: number | null;
        };
        ScoreReason: {
            /**
             * @description The key of the rule.
             * @example velocity-count-24h
             */
            ruleId: string;
            /**
             * @description The version of the rule.
             * @example 1
             */
            version: number;
            /** @description The name of the rule, for people. */
            name: components["schemas"]["ReasonMessage"];
            /**
             * @description The stable code of the reason.
             * @example VELOCITY_24H
             */
            reasonCode: string;
            /**
             * @description How grave the rule is.
             * @example MEDIUM
             * @enum {string}
             */
            severity: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
            /**
             * @description The group of rules whose points have one cap.
             * @example VELOCITY
             */
            group: string;
            /**
             * @description How many points it adds to the score.
             * @example 20
             */
            points: number;
            /**
             * @description What was found.
             * @example 14
             */
            observed: string | null;
            /**
             * @description From where it counts.
             * @example 10
             */
            threshold: string;
            /**
             * @description The time that is looked at.
             * @example 24h
             */
            window: string | null;
            /**
             * @description True when the observed value is a lower bound.
             * @example false
             */
            saturated: boolean;
            /**
             * @description What the hit means beside its points.
             * @example []
             */
            flags: string[];
            /** @description A sentence for people; its wording may change. */
            message: components["schemas"]["ReasonMessage"];
            /** @description The norms on which it stands. */
            legalBasis: components["schemas"]["ReasonLegalBasis"][];
        };
        PersonsDecisionPayload: {
            /**
             * @description Who or what decided it.
             * @enum {string}
             */
            by: "PERSON";
            /**
             * @description The outcome.
             * @example APPROVED
             * @enum {string}
             */
            outcome: "APPROVED" | "REJECTED";
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-11-20T15:00:00.000Z
             */
            decidedAt: string;
            /**
             * @description Whether one person decided alone, because nobody independent was there.
             * @example false
             */
            singleControl: boolean;
        };
        TransactionCompletedData: {
            /**
             * @description Your id of the transaction.
             * @example pix-2026-000001
             */
            transactionId: string;
            /**
             * @description The status of the transaction.
             * @enum {string}
             */
            status: "COMPLETED";
            /**
             * @description The one field to act on.
             * @example HOLD
             * @enum {string}
             */
            verdict: "RELEASE" | "CHALLENGE" | "HOLD" | "DECLINE";
            /** @description What the customer has to do; null when nothing. */
            nextAction: components["schemas"]["NextActionView"] | null;
            /**
             * @description CHALLENGED: the customer has to be verified. REVIEW: an analyst has to decide. The end comes as this event again, with the next sequence.
             * @example REVIEW
             * @enum {string}
             */
            outcome: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED";
            /**
             * @description What the rules advise to do.
             * @enum {string}
             */
            recommendedAction: "NONE" | "STEP_UP" | "HOLD" | "DECLINE";
            /**
             * @description Informational only unless defensible is true; null when there was nothing to score with. From 0 to 100.
             * @example 42
             */
            riskScore: number | null;
            /**
             * @description The band of the score.
             * @example MEDIUM
             * @enum {string|null}
             */
            riskLevel: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL" | null;
            /**
             * @description Whether the score can be defended.
             * @example false
             */
            defensible: boolean;
            /**
             * @description Whether the score has all that it needs.
             * @example PARTIAL
             * @enum {string}
             */
            composition: "COMPLETE" | "PARTIAL" | "MISSING" | "INCONSISTENT";
            /**
             * @description Why the score cannot be defended; empty when it can.
             * @example [
             *       "DEVICE_IP_MISSING_INPUT"
             *     ]
             */
            nonDefensibleReasons: string[];
            /** @description Live rules that could not tell, and what they lacked. */
            notEvaluated: components["schemas"]["NotEvaluatedRule"][];
            /** @description The rules that hit, each with what it saw. */
            reasons: components["schemas"]["ScoreReason"][];
            /**
             * @description Whether a person has to look.
             * @example true
             */
            reviewRequired: boolean;
            /**
             * @description The id of the case; absent where there is none.
             * @example rev_019364d0c0de7000a000000000000001
             */
            reviewId?: string;
            /** @description When a person has decided: `outcome` is theirs, the evaluation stays what it was. */
            decision?: components["schemas"]["PersonsDecisionPayload"];
            /** @description The session that a rule asked for. */
            stepUpSessionId?: string;
            /**
             * @description What rules ask for beside a review.
             * @example [
             *       {
             *         "ruleId": "BR-PIX-16",
             *         "type": "STEP_UP_SESSION",
             *         "flowKey": "step-up",
             *         "expiresIn": "PT30M"
             *       }
             *     ]
             */
            requestedActions: {
                [key: string]: string;
            }[];
            /**
             * @description The ruleset and its version, as `key@version`.
             * @example br-starter@1
             */
            rulesetVersion: string | null;
            /** @description SHA-256 of the ruleset, in hexadecimal. */
            rulesetHash: string | null;
            /**
             * @description Counts the evaluations of the transaction from 1.
             * @example 1
             */
            evaluationVersion: number;
            /**
             * Format: date-time
             * @description When it was evaluated.
             * @example 2026-11-20T12:00:01.254Z
             */
            evaluatedAt: string;
            /** @description SHA-256 of the decision receipt. */
            receiptHash: string;
        };
        DeadLetterFailure: {
            /**
             * @description A stable code; a program may rely on it.
             * @example EVALUATION_FAILED
             */
            code: string;
            /**
             * @description The step at which it stopped.
             * @example EVALUATE
             */
            stage: string;
            /**
             * @description How many attempts there were.
             * @example 5
             */
            attempts: number;
        };
        TransactionDeadLetteredData: {
            /**
             * @description Your id of the transaction.
             * @example pix-2026-000001
             */
            transactionId: string;
            /**
             * @description The status of the transaction.
             * @enum {string}
             */
            status: "DEAD_LETTERED";
            /** @description Why it failed, where, and after how many attempts. */
            failure: components["schemas"]["DeadLetterFailure"];
            /**
             * @description True when an operator can have it processed again.
             * @example true
             */
            replayable: boolean;
        };
        SessionCreatedData: {
            /** @description Whoever holds it can use the session: keep it on the server. */
            sessionId: string;
            /**
             * @description The status of the session.
             * @enum {string}
             */
            status: "PENDING";
            /**
             * @description The name of the flow.
             * @example Cadastro completo
             */
            flowName: string;
            /**
             * @description The id of the customer.
             * @example cus_019364d0c0de7000a000000000000001
             */
            customerId: string;
            /**
             * @description Who asked for the session.
             * @enum {string}
             */
            trigger: "OPERATOR" | "STEP_UP" | "API" | "COMPANY" | "REVERIFICATION";
            /**
             * Format: date-time
             * @description Until when the session is valid.
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt: string;
            /**
             * @description The session of the company whose owner or representative this one is for.
             * @example kys_019364d0c0de7000a000000000000001
             */
            parentReference?: string;
        };
        SessionCompletedData: {
            /** @description The id of the session. */
            sessionId: string;
            /**
             * @description The status of the session.
             * @enum {string}
             */
            status: "COMPLETED" | "EXPIRED";
            /**
             * @description The id of the customer.
             * @example cus_019364d0c0de7000a000000000000001
             */
            customerId: string;
            /**
             * @description The score, from 0 to 100; absent where there is none. From 0 to 100.
             * @example 12
             */
            riskScore?: number;
            /**
             * @description The outcome.
             * @enum {string}
             */
            outcome?: "APPROVED" | "REVIEW" | "REJECTED";
            /**
             * @description Whether the score can be defended.
             * @example true
             */
            defensible?: boolean;
            /**
             * Format: date-time
             * @description When it was completed.
             * @example 2026-11-20T12:30:00.000Z
             */
            completedAt: string;
        };
        ReopenedStep: {
            /**
             * @description The id of the step.
             * @example document
             */
            stepId: string;
            /**
             * @description Why, as a code; the words are for the person.
             * @example REVIEWER
             */
            code: string;
        };
        SessionReopenedData: {
            /** @description Whoever holds it can use the session: keep it on the server. */
            sessionId: string;
            /**
             * @description The status of the session.
             * @enum {string}
             */
            status: "PENDING";
            /**
             * @description The id of the customer.
             * @example cus_019364d0c0de7000a000000000000001
             */
            customerId: string;
            /**
             * @description Which time this is; three at most.
             * @example 1
             */
            round: number;
            /** @description The steps that the person is asked for again, on the same link. */
            steps: components["schemas"]["ReopenedStep"][];
            /**
             * Format: date-time
             * @description Until when the session is valid.
             * @example 2026-11-22T12:00:00.000Z
             */
            expiresAt: string;
        };
        CustomerIdentifiedData: {
            /**
             * @description The id of the customer.
             * @example cus_019364d0c0de7000a000000000000001
             */
            customerId: string;
            /**
             * @description Your id of the customer.
             * @example customer-4711
             */
            externalCustomerId: string | null;
            /**
             * @description The CPF or CNPJ, masked.
             * @example ***.456.789-**
             */
            documentMasked: string | null;
            /**
             * @description A natural or a legal person.
             * @enum {string}
             */
            personType: "NATURAL" | "LEGAL";
            /**
             * @description How sure the identification is.
             * @example DOCUMENT_AND_SELFIE
             */
            assurance: string;
            /**
             * @description What identified the customer.
             * @example SESSION
             */
            identifiedBy: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names this request in logs, audit entries and questions to whoever runs the service; yours, if you sent one. */
        "X-Request-Id": string;
        /** @description Ties together what belongs together; yours, if you sent one. */
        "X-Correlation-Id": string;
        /** @description The version of the interface in which the answer is written. */
        "X-API-Version": string;
        /** @description What is left of the limit (`r`), and after how many seconds it is whole again (`t`). */
        RateLimit: string;
        /** @description The limit: how many calls (`q`) in how many seconds (`w`). */
        "RateLimit-Policy": string;
        /** @description After how many seconds the same request may be sent again. */
        "Retry-After": string;
        /** @description How to say who is calling. */
        "WWW-Authenticate": string;
        /** @description Only there, and `true`, when this is the stored answer to an earlier request with the same `Idempotency-Key`. */
        "Idempotency-Replayed": string;
        /** @description Since when the route is deprecated (RFC 9745). */
        Deprecation: string;
        /** @description The route that takes its place. */
        Link: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listRequests: {
        parameters: {
            query?: {
                /** @description At most so many items. From 1 to 200. */
                limit?: number;
                /** @description `page.nextCursor` of the answer before; opaque. At most 512 characters. */
                cursor?: string;
                /** @description The request of this `X-Request-Id`, yours or ours. */
                requestId?: string;
                /** @description Only this route, as `route` shows it. */
                route?: string;
                /** @description Only this status. From 100 to 599. */
                status?: number;
                /** @description Only this error code. */
                code?: string;
                /** @description From this time on. */
                since?: string;
                /** @description Before this time. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LoggedRequestView"][];
                        page: components["schemas"]["PageInfoView"];
                        error: null;
                    };
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description At most so many items. From 1 to 200. */
                limit?: number;
                /** @description `page.nextCursor` of the answer before; opaque. At most 512 characters. */
                cursor?: string;
                /** @description Only deliveries to this endpoint. */
                endpointId?: string;
                /** @description Only deliveries of this event. */
                eventId?: string;
                /** @description Only those with this status. */
                status?: "PENDING" | "SENDING" | "DELIVERED" | "EXHAUSTED" | "CANCELLED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeliveryView"][];
                        page: components["schemas"]["PageInfoView"];
                        error: null;
                    };
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery, whd_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery with its attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeliveryDetailView"];
                        error: null;
                    };
                };
            };
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery, whd_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The delivery, which is tried again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeliveryView"];
                        error: null;
                    };
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description At most so many items. From 1 to 200. */
                limit?: number;
                /** @description `page.nextCursor` of the answer before; opaque. At most 512 characters. */
                cursor?: string;
                /** @description Only those with this status. */
                status?: "ACTIVE" | "PAUSED" | "DISABLED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of endpoints. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndpointView"][];
                        page: components["schemas"]["PageInfoView"];
                        error: null;
                    };
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key within 24 hours gets the answer of the first one. From 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEndpointBody"];
            };
        };
        responses: {
            /** @description The endpoint with its signing secret, which is shown once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndpointSecretView"];
                        error: null;
                    };
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint, whe_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndpointView"];
                        error: null;
                    };
                };
            };
        };
    };
    removeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint, whe_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: null;
                        error: null;
                    };
                };
            };
        };
    };
    changeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint, whe_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEndpointBody"];
            };
        };
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndpointView"];
                        error: null;
                    };
                };
            };
        };
    };
    pauseWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint, whe_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PauseEndpointBody"];
            };
        };
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndpointView"];
                        error: null;
                    };
                };
            };
        };
    };
    resumeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint, whe_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndpointView"];
                        error: null;
                    };
                };
            };
        };
    };
    disableWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint, whe_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisableEndpointBody"];
            };
        };
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndpointView"];
                        error: null;
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key within 24 hours gets the answer of the first one. From 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the endpoint, whe_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateEndpointSecretBody"];
            };
        };
        responses: {
            /** @description The new signing secret, which is shown once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndpointSecretView"];
                        error: null;
                    };
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key within 24 hours gets the answer of the first one. From 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the endpoint, whe_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEventBody"];
            };
        };
        responses: {
            /** @description The ids of the event and of its delivery. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TestEventView"];
                        error: null;
                    };
                };
            };
        };
    };
    getWebhookEndpointStatistics: {
        parameters: {
            query?: {
                /** @description How many hours to look back. From 1 to 720. */
                hours?: number;
            };
            header?: never;
            path: {
                /** @description The id of the endpoint, whe_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndpointStatisticsView"];
                        error: null;
                    };
                };
            };
        };
    };
    recoverWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key within 24 hours gets the answer of the first one. From 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the endpoint, whe_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverBody"];
            };
        };
        responses: {
            /** @description The recovery, which runs in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecoveryView"];
                        error: null;
                    };
                };
            };
        };
    };
    listWebhookRecoveries: {
        parameters: {
            query?: {
                /** @description At most so many items. From 1 to 200. */
                limit?: number;
                /** @description `page.nextCursor` of the answer before; opaque. At most 512 characters. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the endpoint, whe_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of recoveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecoveryView"][];
                        page: components["schemas"]["PageInfoView"];
                        error: null;
                    };
                };
            };
        };
    };
    getWebhookRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint, whe_…. */
                id: string;
                /** @description The id of the recovery, whr_…. */
                recoveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recovery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecoveryView"];
                        error: null;
                    };
                };
            };
        };
    };
    readEvents: {
        parameters: {
            query?: {
                /** @description At most so many items. From 1 to 200. */
                limit?: number;
                /** @description `page.nextCursor` of the answer before; opaque. At most 512 characters. */
                cursor?: string;
                /** @description asc: in the order in which nothing is ever inserted later, for reading on. desc: the newest first, for looking. */
                order?: "asc" | "desc";
                /** @description At the end of the feed: for how many milliseconds the answer waits for an event. Without it the answer comes at once. From 1 to 30,000. */
                wait?: number;
                /** @description Where to begin without a cursor: events from this time on. Without it, the first event kept. */
                since?: string;
                /** @description Only these types, separated by commas or one by one. */
                types?: ("kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, with the cursor of what follows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedView"];
                };
            };
        };
    };
    readEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneEventView"];
                };
            };
        };
    };
    putProfiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileRowBody"][];
                "application/x-ndjson": components["schemas"]["ProfileRowBody"][];
                "text/csv": components["schemas"]["ProfileRowBody"][];
            };
        };
        responses: {
            /** @description The outcome: what was written and what was refused. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProfilesOutcomeView"];
                        error: null;
                    };
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ClientCustomerView"];
                        error: null;
                    };
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key within 24 hours gets the answer of the first one. From 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSessionBody"];
            };
        };
        responses: {
            /** @description The link of the session. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IssuedLinkView"];
                        error: null;
                    };
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SessionView"];
                        error: null;
                    };
                };
            };
        };
    };
    ingestTransaction: {
        parameters: {
            query?: {
                /** @description How many milliseconds the answer may wait for the decision, such as 2000. From 1 to 10,000. */
                wait?: number;
            };
            header?: {
                /** @description `wait=SECONDS` (RFC 7240), such as `wait=2`, at most 10; `Preference-Applied` says what was applied. `wait` goes before it. */
                Prefer?: string;
                /** @description Identifier of the request; generated when absent. */
                "x-request-id"?: string;
                /** @description Comes back in events, jobs and audit entries. */
                "x-correlation-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestTransactionBody"];
            };
        };
        responses: {
            /** @description Decided while the caller waited: the transaction as it reads back. Or the same submission was stored before: `duplicate` is true, `status` is its status now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"] | components["schemas"]["ReceiptView"];
                };
            };
            /** @description Stored; evaluation follows, or was not waited for. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
        };
    };
    ingestTransactionBatch: {
        parameters: {
            query?: {
                /** @description How many milliseconds the answer may wait for the decision, such as 2000. From 1 to 10,000. */
                wait?: number;
            };
            header?: {
                /** @description `wait=SECONDS` (RFC 7240), such as `wait=2`, at most 10; `Preference-Applied` says what was applied. `wait` goes before it. */
                Prefer?: string;
                /** @description Identifier of the request; generated when absent. */
                "x-request-id"?: string;
                /** @description Comes back in events, jobs and audit entries. */
                "x-correlation-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestTransactionBody"][];
                "application/x-ndjson": components["schemas"]["IngestTransactionBody"][];
            };
        };
        responses: {
            /** @description One result per item, in order. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchView"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the transaction in your own system. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"];
                };
            };
        };
    };
    getTransactionEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the transaction in your own system. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events of the transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEventsView"];
                };
            };
        };
    };
    ingestEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifier of the request; generated when absent. */
                "x-request-id"?: string;
                /** @description Comes back in events, jobs and audit entries. */
                "x-correlation-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerEventBody"];
            };
        };
        responses: {
            /** @description The same event was stored before: `duplicate` is true. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventReceiptView"];
                };
            };
            /** @description Stored. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventReceiptView"];
                };
            };
        };
    };
    ingestEventBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifier of the request; generated when absent. */
                "x-request-id"?: string;
                /** @description Comes back in events, jobs and audit entries. */
                "x-correlation-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerEventBody"][];
                "application/x-ndjson": components["schemas"]["CustomerEventBody"][];
            };
        };
        responses: {
            /** @description One result per item, in order. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventBatchView"];
                };
            };
        };
    };
    submitLegacyTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Takes the place of transactionId when the body has none; one of the two is needed. */
                "Idempotency-Key"?: string;
                /** @description Identifier of the request; generated when absent. */
                "x-request-id"?: string;
                /** @description Comes back in events, jobs and audit entries. */
                "x-correlation-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LegacyTransactionBody"];
            };
        };
        responses: {
            /** @description The same submission was stored before: `duplicate` is true, `status` is its status now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Stored; evaluation follows. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
        };
    };
    listScenarios: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scenarios. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ScenariosView"];
                        error: null;
                    };
                };
            };
        };
    };
}
