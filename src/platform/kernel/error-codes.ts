/**
 * The one registry of error codes: HTTP status, whether a retry may help, and the text a caller reads.
 * `docs/generated/errors.md` and the page `/docs/errors` are generated from it. Codes are stable; texts may be improved.
 */
export interface ErrorDefinition {
  readonly status: number;
  readonly retryable: boolean;
  readonly message: string;
  /** Instruction for the caller, shown in the documentation. */
  readonly remedy: string;
}

type Defined = Omit<ErrorDefinition, 'retryable'> & Partial<ErrorDefinition>;

type Added<T, More> = { readonly [K in keyof T]: T[K] & More };

const withEach = <T extends object, More extends object>(codes: T, more: More): Added<T, More> =>
  Object.fromEntries(
    Object.entries(codes).map(([code, definition]): [string, unknown] => [code, { ...more, ...definition }]),
  ) as Added<T, More>;

/** Adds the default: a retry does not help. */
const define = <T extends Record<string, Defined>>(codes: T): { readonly [K in keyof T]: ErrorDefinition } =>
  withEach(codes, { retryable: false });

/** Codes with one HTTP status. */
const withStatus = <T extends Record<string, Omit<Defined, 'status'>>>(
  status: number,
  codes: T,
): Added<T, { readonly status: number }> => withEach(codes, { status });

export const errorCodes = define({
  ...withStatus(400, {
    VALIDATION_FAILED: {
      message: 'The request does not meet the contract; see details.',
      remedy: 'Correct the fields named in `details` and send the request again.',
    },
    MALFORMED_JSON: {
      message: 'The body is not valid JSON.',
      remedy: 'Send a single well-formed JSON value in UTF-8.',
    },
    UNSUPPORTED_VERSION: {
      message: 'The requested API version does not exist.',
      remedy: 'Leave out `X-API-Version` or send a version named in the documentation.',
    },
    STEPS_INCOMPLETE: {
      message: 'Required steps of the session are not finished.',
      remedy: 'Finish the steps named in `details`, then complete the session again.',
    },
    CURSOR_INVALID: {
      message: 'The cursor is not one of this list.',
      remedy: 'Send `page.nextCursor` of an earlier answer of the same list, or start without a cursor.',
    },
  }),
  ...withStatus(401, {
    CREDENTIALS_MISSING: {
      message: 'Credentials are required.',
      remedy:
        'Send the headers `x-client-id` and `x-client-secret`, or on operator routes `Authorization: Bearer` with an access token.',
    },
    CREDENTIALS_INVALID: {
      message: 'The credentials are not valid.',
      remedy: 'Check them and that they belong to this environment.',
    },
    TOKEN_EXPIRED: {
      message: 'The access token has expired.',
      remedy: 'Get a new one with the refresh token at `/operator/auth/refresh`, or log in again.',
    },
    TOTP_REQUIRED: {
      message: 'The second factor is required.',
      remedy: 'Send the login again with `totp` or `recoveryCode`.',
    },
  }),
  ...withStatus(403, {
    APP_DISABLED: {
      message: 'The client application is disabled.',
      remedy: 'Ask the administrator to enable the application.',
    },
    SCOPE_INSUFFICIENT: {
      message: 'The client application lacks the scope this operation needs.',
      remedy: 'Ask the administrator for the scope named in `details`.',
    },
    SANDBOX_ONLY: {
      message: 'Only the sandbox has scenarios.',
      remedy:
        'Leave out `metadata.sandboxScenario`, or send it to the sandbox; `GET /sandbox/scenarios` lists them there.',
    },
    IP_NOT_ALLOWED: {
      message: 'The client application may not be used from this address.',
      remedy: 'Ask the administrator to add the address to the allow-list.',
    },
    OPERATOR_DISABLED: {
      message: 'The operator is disabled.',
      remedy: 'Ask an administrator to enable the operator.',
    },
    CSRF_TOKEN_INVALID: {
      message: 'The request did not prove that it comes from a page of this service.',
      remedy: 'Send the value of the cookie `vigia_csrf` in the header `X-CSRF-Token`.',
    },
    PERMISSION_DENIED: {
      message: 'The operator lacks the permission this operation needs.',
      remedy: 'Ask an administrator for a role with the permission named in `details`.',
    },
    STRONG_LOGIN_REQUIRED: {
      message: 'This operation needs a login with a second factor.',
      remedy: 'Set up a second factor at `/operator/me/totp`, or log in with its code.',
    },
    FOUR_EYES_REQUIRED: {
      message: 'A second person has to do this.',
      remedy: 'Ask a colleague with the permission; who did the first step cannot do the second.',
    },
    HTTPS_REQUIRED: {
      message: 'This service answers over HTTPS only.',
      remedy: 'Use https. Treat credentials that were sent over plain HTTP as exposed and rotate them.',
    },
  }),
  ...withStatus(404, {
    ROUTE_NOT_FOUND: {
      message: 'There is no such route.',
      remedy: 'Check the path against the documentation.',
    },
    FILE_NOT_FOUND: {
      message: 'The page has no file of this name.',
      remedy: 'Load the page again: its files have new names after each release.',
    },
    APP_NOT_FOUND: { message: 'There is no such client application.', remedy: 'Check the client id.' },
    OPERATOR_NOT_FOUND: {
      message: 'There is no such operator.',
      remedy: 'Check the id; only operators of your own organisation are visible.',
    },
    AUDIT_ENTRY_NOT_FOUND: {
      message: 'The audit log has no such entry or checkpoint.',
      remedy: 'Check the index and the sizes against `GET /operator/audit/checkpoints`.',
    },
    AUDIT_EXPORT_NOT_FOUND: {
      message: 'There is no such export.',
      remedy: 'Check the id against `GET /operator/audit/exports`.',
    },
    REPAIR_NOT_FOUND: {
      message: 'There is no such repair.',
      remedy: 'Check the id against `GET /operator/audit/repairs`.',
    },
    LOG_RESTART_NOT_FOUND: {
      message: 'There is no such restart of the audit log.',
      remedy: 'Check the id against `GET /operator/audit/log-restarts`.',
    },
    SECRET_NOT_FOUND: {
      message: 'There is no such live secret.',
      remedy: 'Read the application: it lists the secrets that are valid now.',
    },
    ENDPOINT_NOT_FOUND: {
      message: 'There is no such webhook endpoint.',
      remedy: 'Check the id; only endpoints of the caller are visible.',
    },
    DELIVERY_NOT_FOUND: {
      message: 'There is no such webhook delivery.',
      remedy: 'Check the id; only deliveries to endpoints of the caller are visible.',
    },
    RECOVERY_NOT_FOUND: {
      message: 'There is no such recovery.',
      remedy: 'Check the id and the endpoint that it belongs to.',
    },
    EVENT_NOT_FOUND: {
      message: 'There is no such event.',
      remedy: 'Check the id; the content of an event about an erased person is gone.',
    },
    IDENTITY_PROVIDER_NOT_CONFIGURED: {
      message: 'Login with an identity provider is not set up here.',
      remedy: 'Log in with a password; whoever runs the service sets `OIDC_ISSUER`.',
    },
    PASSKEYS_NOT_CONFIGURED: {
      message: 'Passkeys are not set up here.',
      remedy:
        'Use another factor; whoever runs the service sets `PUBLIC_URL` to a host name, not an address.',
    },
    PASSKEY_NOT_FOUND: {
      message: 'There is no such passkey.',
      remedy: 'List the passkeys again; it may be removed.',
    },
    OPERATOR_SESSION_NOT_FOUND: {
      message: 'There is no such session.',
      remedy: 'List the sessions again; it may be over.',
    },
    INVITATION_NOT_FOUND: {
      message: 'There is no such invitation.',
      remedy: 'List the invitations again; it may be accepted or taken back.',
    },
    INVITATION_INVALID: {
      message: 'The invitation is not valid, or no longer.',
      remedy: 'Ask for a new invitation; each works once and not for long.',
    },
    TRANSACTION_NOT_FOUND: {
      message: 'There is no such transaction.',
      remedy: 'Check the transactionId; only transactions of the calling application are visible.',
    },
    EVALUATION_NOT_FOUND: {
      message: 'There is no such evaluation.',
      remedy: 'The transaction is not evaluated yet, or has no evaluation of this version.',
    },
    DEAD_LETTER_NOT_FOUND: {
      message: 'There is no such dead letter.',
      remedy: 'Check the id; a transaction that was replayed is no dead letter any more.',
    },
    APPROVAL_NOT_FOUND: {
      message: 'There is no such request for approval.',
      remedy: 'Check the id; only those of your own organisation are visible.',
    },
    RULE_NOT_FOUND: {
      message: 'There is no such rule.',
      remedy: 'Check the key and the version; only rules of your own organisation are visible.',
    },
    RULESET_NOT_FOUND: {
      message: 'There is no such ruleset.',
      remedy: 'Check the key and the version; only rulesets of your own organisation are visible.',
    },
    BACKTEST_NOT_FOUND: {
      message: 'There is no such back-test.',
      remedy: 'Check the id; only back-tests of your own organisation are visible.',
    },
    BACKFILL_NOT_FOUND: {
      message: 'There is no such back-fill.',
      remedy: 'Take the id from `GET /operator/custom-fields/backfills`.',
    },
    LOOK_BACK_NOT_FOUND: {
      message: 'There is no such look-back.',
      remedy: 'Take the id from `GET /operator/look-backs`.',
    },
    LIST_NOT_FOUND: { message: 'There is no such list.', remedy: 'Take the id from `GET /operator/lists`.' },
    ENTRY_NOT_FOUND: {
      message: 'The list has no such entry.',
      remedy: 'Take the key from `GET /operator/lists/{id}/entries`.',
    },
    IMPORT_NOT_FOUND: {
      message: 'The list has no such import.',
      remedy: 'Take the id from `GET /operator/lists/{id}/imports`.',
    },
    HIT_NOT_FOUND: { message: 'There is no such hit.', remedy: 'Take the id from `GET /operator/hits`.' },
    FREEZE_NOT_FOUND: {
      message: 'There is no such freeze.',
      remedy: 'Take the id from `GET /operator/freezes`.',
    },
    COMMUNICATION_NOT_FOUND: {
      message: 'There is no such communication.',
      remedy: 'Check the id; communications of another organisation are answered like this too.',
    },
    ARTIFACT_NOT_FOUND: {
      message: 'There is no such artifact.',
      remedy: 'Check the id; only artifacts of your own organisation are visible.',
    },
    SESSION_NOT_FOUND: {
      message: 'There is no such session.',
      remedy: 'Check the link; ask whoever sent it for a new one.',
    },
    STEP_NOT_FOUND: {
      message: 'The session has no such step.',
      remedy:
        'Take the id from `steps` of the public view; a step whose condition does not hold is not there.',
    },
    FLOW_NOT_FOUND: { message: 'There is no such flow.', remedy: 'Take the key from `GET /operator/flows`.' },
    PROVIDER_NOT_FOUND: {
      message: 'There is no such provider.',
      remedy: 'Take the name from `GET /operator/providers`.',
    },
    CUSTOMER_NOT_FOUND: {
      message: 'There is no such customer.',
      remedy: 'Check the id; only customers of your own organisation are visible.',
    },
    REVIEW_NOT_FOUND: {
      message: 'There is no such case.',
      remedy: 'Check the id; cases of another organisation are answered like this too.',
    },
    VIEW_NOT_FOUND: {
      message: 'There is no such view of yours.',
      remedy: 'Check the id; only whoever saved a view changes or removes it.',
    },
    SNOOZE_NOT_FOUND: {
      message: 'There is no such snooze.',
      remedy: 'Check the id; a snooze that has ended or was lifted is not found.',
    },
  }),
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This route does not support the method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    message: 'No representation of the answer matches the Accept header.',
    remedy: 'Accept `application/json` or `application/problem+json`.',
  },
  ...withStatus(409, {
    FEED_REWOUND: {
      message: 'The database was put back to an earlier time; events that you have seen may be lost.',
      remedy:
        'Go on with the cursor in `details[0].suggestion`, the last place that is certainly the same; some events come again. What you hold beyond it compare with what comes.',
    },
    TRANSACTION_ID_CONFLICT: {
      message: 'The transactionId was already used with different content.',
      remedy:
        'The details name what differs. Send a retry with the content of the first submission, which is untouched; only another transaction has another transactionId, or it counts twice.',
    },
    EVENT_ID_CONFLICT: {
      message: 'The eventId was already used with different content.',
      remedy:
        'The details name what differs. Send a retry with the content of the first submission, which is untouched; only another event has another eventId, or it counts twice.',
    },
    IDEMPOTENCY_IN_PROGRESS: {
      retryable: true,
      message: 'The first request with this Idempotency-Key is still being handled.',
      remedy:
        'Send the same request again after the seconds in `Retry-After`; it gets the answer of the first one.',
    },
    IDEMPOTENCY_OUTCOME_UNKNOWN: {
      message: 'The first request with this Idempotency-Key took effect, but its answer was lost.',
      remedy: 'Read the resource to see what was created. Use a new key only for something new.',
    },
  }),
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'The Idempotency-Key was already used for a different request.',
    remedy: 'Use a new key for a new request; send the same request to get the stored answer.',
  },
  ...withStatus(409, {
    SESSION_ALREADY_SUBMITTED: {
      message: 'The session was already submitted.',
      remedy: 'Nothing more can be sent; the first submission stands.',
    },
    STATE_CONFLICT: {
      message: 'The resource is not in a state that allows this, or was changed meanwhile.',
      remedy: 'Read the resource again and decide anew.',
    },
    AUDIT_TRAIL_INCOMPLETE: {
      message: 'The audit trail is not complete and unchanged; the details name what is missing.',
      remedy: 'Let an authorised operator look into the subjects named in `details` and repair their trails.',
    },
    MANDATORY_REVIEW_OPEN: {
      message: 'A hit that needs a decision is open.',
      remedy:
        'Decide about each hit named in `details` with `POST /operator/hits/{id}/disposition`, then approve.',
    },
    RELATED_TRANSACTIONS_OPEN: {
      message: 'Payments of the customer around the alerts are not in the case.',
      remedy:
        'Add them with `POST /operator/reviews/{id}/related-transactions`, or say in `withoutRelated` of the decision why they stay out.',
    },
    RETENTION_REQUIRED: {
      message: 'The law requires that these records are kept.',
      remedy:
        'Read `retainUntil` and `legalHold` of the customer. The record is restricted instead, and can be erased later.',
    },
  }),
  SESSION_EXPIRED: {
    status: 410,
    message: 'The session is over.',
    remedy: 'Ask whoever sent the link for a new one.',
  },
  FILE_TOO_LARGE: {
    status: 413,
    message: 'The file is too large.',
    remedy: 'Send a smaller file; the limit stands in the documentation of the route.',
  },
  QUOTA_EXCEEDED: {
    status: 409,
    message: 'The organisation has as many of these as it may have.',
    remedy:
      'Remove what is not needed, or ask whoever runs the installation; `GET /operator/quotas` shows the limits.',
  },
  TOO_MANY_ARTIFACTS: {
    status: 413,
    message: 'There are too many files here already.',
    remedy: 'Nothing was stored. Complete with the files that are there; limits are in the documentation.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    message: 'The body is larger than this route accepts.',
    remedy: 'Send a smaller body; limits are in the documentation.',
  },
  MEDIA_TYPE_UNSUPPORTED: {
    status: 415,
    message: 'The content type of the body is not supported by this route.',
    remedy:
      '`details` says whether the type, its charset or the encoding is the reason; `Accept` names the types.',
  },
  FILE_TYPE_UNSUPPORTED: {
    status: 415,
    message: 'The file is not an acceptable JPEG, PNG, WebP or PDF.',
    remedy:
      'Send a photo (HEIC as JPEG) or an unprotected PDF without scripts or attachments; `details` says what was found.',
  },
  AUDIT_EXPORT_GONE: {
    status: 410,
    message: 'The file of this export is no longer kept.',
    remedy: 'Ask for the export again; the log itself is kept.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    message: 'The range is not one of this file.',
    remedy: 'Read the length from `Content-Range` and ask for one range of bytes below it.',
  },
  ARTIFACT_NOT_SHOWABLE: {
    status: 409,
    message: 'This file cannot be drawn.',
    remedy: 'Download the original with a reason, on a machine for such files, or ask for another file.',
  },
  ARTIFACT_GONE: {
    status: 410,
    message: 'The file of this artifact is gone.',
    remedy: 'The person it is about was erased, or the file was lost; the record and its trail remain.',
  },
  RATE_LIMITED: {
    status: 429,
    retryable: true,
    message: 'The rate limit is exceeded.',
    remedy: 'Wait for the seconds in `Retry-After`, then retry.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    message: 'The request headers are too large.',
    remedy: 'Send fewer or shorter headers.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    message: 'The request is not valid HTTP.',
    remedy: 'Check the client library; the request could not be read.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    retryable: true,
    message: 'The request did not arrive in time.',
    remedy: 'Send the whole request without long pauses.',
  },
  INTERNAL_ERROR: {
    status: 500,
    retryable: true,
    message: 'The service failed to handle the request.',
    remedy: 'Retry; if it persists, report the requestId.',
  },
  ...withStatus(503, {
    OVERLOADED: {
      retryable: true,
      message: 'The service is overloaded; nothing was accepted.',
      remedy: 'Retry after the seconds in `Retry-After`.',
    },
    MAIL_UNAVAILABLE: {
      retryable: true,
      message: 'The message could not be handed over; nothing was changed.',
      remedy:
        'Retry; if it persists, whoever runs the service looks at MAIL_URL, or at the space in DATA_DIR.',
    },
    OUTCOME_UNKNOWN: {
      retryable: true,
      message: 'The database was lost while it stored this request; it may have taken effect or not.',
      remedy:
        'Send the same request again after the seconds in `Retry-After`, with the same `transactionId` or `Idempotency-Key`: what was stored is not stored twice.',
    },
    CUSTOM_FIELDS_ALTERED: {
      retryable: true,
      message: 'The custom fields in the database are not those that were published; nothing was accepted.',
      remedy:
        'Somebody changed the database behind the service. An auditor of the organisation looks at the health of the audit trail and repairs the row; then send again.',
    },
    NOT_READY: {
      retryable: true,
      message: 'The service cannot accept this request now; nothing was accepted.',
      remedy: 'Retry after the seconds in `Retry-After`.',
    },
  }),
});

export type ErrorCode = keyof typeof errorCodes;

/** Returns all errors, by status and then by code. */
export const listErrors = (): readonly (ErrorDefinition & { readonly code: ErrorCode })[] =>
  (Object.entries(errorCodes) as [ErrorCode, ErrorDefinition][])
    .map(([code, definition]) => ({ code, ...definition }))
    .sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
