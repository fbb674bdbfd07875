const OWN = 'it changes nothing but the own account';
const SAFER = 'it takes power away and gives none';
const DRAFT = 'it is a draft or a trial, and nothing is judged by it';
const WORK = 'it is work on a case, kept with who did it, and decides nothing';
const VIEW = 'it changes how a list is looked at, and no case';
const KEYS = 'an application sends and reads; what decides it may say only by what two people granted';
const AGAIN = 'it does again, by the same rules, what was done';
const DELIVERY = 'it changes to whom and when events go, and no decision';

/** Operator routes that write and need only one person, each with the reason: all but those that create a request. */
export const onePersonRoutes: Readonly<Record<string, string>> = {
  'POST /operator/approvals/:id/approve': 'whoever approves is the second person',
  'POST /operator/approvals/:id/refuse': SAFER,
  'POST /operator/approvals/:id/withdraw': SAFER,

  'POST /operator/auth/setup': 'nobody is there yet; the set-up token is of whoever runs the installation',
  'POST /operator/auth/invitations/accept': 'the invitation was the decision',
  'POST /operator/auth/login': OWN,
  'POST /operator/auth/token': OWN,
  'POST /operator/auth/refresh': OWN,
  'POST /operator/auth/logout': OWN,
  'POST /operator/auth/logout-everywhere': OWN,
  'POST /operator/me/password': OWN,
  'POST /operator/me/recovery-codes': OWN,
  'DELETE /operator/me/sessions/:id': OWN,
  'POST /operator/auth/passkeys/options': OWN,
  'POST /operator/auth/passkeys/verify': OWN,
  'POST /operator/me/passkeys/options': OWN,
  'POST /operator/me/passkeys/verify': OWN,
  'POST /operator/me/passkeys/:id/remove': 'the last second factor stays; its reset has two people',
  'POST /operator/me/step-up/options': OWN,
  'POST /operator/me/step-up': OWN,
  'POST /operator/me/totp': OWN,
  'POST /operator/me/totp/confirm': OWN,

  'DELETE /operator/invitations/:id': SAFER,
  'POST /operator/operators': 'a machine has no permission that needs a second factor, and approves nothing',
  'PATCH /operator/operators/:id':
    'it renames, takes roles away, or sets what a machine may do; more roles for a person are refused',
  'POST /operator/operators/:id/secret': 'it is the secret of a machine, which approves nothing',
  'POST /operator/operators/:id/disable': SAFER,
  'POST /operator/operators/:id/sessions/end': SAFER,

  'POST /operator/reviews': 'it opens a case; closing it is the decision',
  'POST /operator/reviews/:id/assign': WORK,
  'POST /operator/reviews/assignments': WORK,
  'POST /operator/reviews/:id/attachments': WORK,
  'POST /operator/reviews/:id/notes': WORK,
  'POST /operator/reviews/:id/merge': WORK,
  'POST /operator/reviews/:id/unmerge': WORK,
  'POST /operator/reviews/:id/split': WORK,
  'POST /operator/reviews/:id/people': WORK,
  'POST /operator/reviews/:id/people/:customer/remove': WORK,
  'POST /operator/reviews/:id/request-info': WORK,
  'POST /operator/reviews/:id/related-transactions': WORK,
  'POST /operator/reviews/:id/transactions': WORK,
  'POST /operator/reviews/:id/transactions/:transaction/remove': WORK,
  'POST /operator/reviews/:id/info': WORK,
  'POST /operator/reviews/:id/reopen':
    'it opens a new case about the same; the decision stays until that is decided',
  'PUT /operator/client-apps/:id/logo': 'it is a picture for people; nothing is decided by it',
  'DELETE /operator/client-apps/:id/logo': 'it is a picture for people; nothing is decided by it',
  'PUT /operator/reverification':
    'it says when people are asked again, and lets nobody in; each change is kept',
  'PUT /operator/privacy-notice': 'it is a text for people; each version is kept, and sessions keep theirs',
  'POST /operator/kyc-sessions/:id/resubmissions': 'it asks the person again, and decides nothing',
  'PUT /operator/flows/:key/draft': DRAFT,
  'DELETE /operator/flows/:key/draft': DRAFT,
  'POST /operator/flows/:key/draft/preview': DRAFT,
  'POST /operator/flows/check': DRAFT,
  'POST /operator/providers/:name/disable': 'nobody is certified by it any more; that weakens no result',
  'POST /operator/providers/:name/secret': 'it reads, and leaves an entry',
  'POST /operator/views': VIEW,
  'PUT /operator/views/:id': VIEW,
  'DELETE /operator/views/:id': VIEW,
  'POST /operator/artifacts/:id/link': WORK,
  'POST /operator/artifacts/:id/original': 'it reads, and leaves an entry',
  'POST /operator/hits/:id/disposition':
    'it escalates, or closes a hit that forces no decision; a mandatory one is refused',
  'POST /operator/freezes/:id/notices': 'it writes down who was told of a freeze; the freeze stays',
  'POST /operator/coaf/communications/:id/edits':
    'it is a draft, and each edit is kept with its reason; the filing has two people',
  'PUT /operator/coaf/institution': 'it says who communicates; each filing has two people',

  'PATCH /operator/customers/:id/profile':
    'it makes no result better until a second person confirms it; the end of a political exposure and higher amounts are refused',
  'PUT /operator/customers/profiles':
    'it makes no result better until a second person confirms it; a lower risk level, the end of a political exposure and higher amounts are refused',
  'PUT /operator/customers/:id/relationship':
    'it is the beginning of a term; the erasure after it has two people',
  'POST /operator/customers/:id/reveal': 'it reads, and leaves an entry',
  'PUT /operator/customers/:id/risk-level':
    'a lower level is refused, and a first one makes no result better until a second person confirms it',
  'POST /operator/customers/:id/legal-hold': 'it keeps what would be erased',

  'POST /operator/rules': DRAFT,
  'POST /operator/rules/:key/versions': DRAFT,
  'POST /operator/rules/check': DRAFT,
  'POST /operator/rules/dry-run': DRAFT,
  'POST /operator/rulesets': DRAFT,
  'PUT /operator/rulesets/:key/versions/:version': DRAFT,
  'POST /operator/rulesets/:key/rules/:rule/mode': DRAFT,
  'POST /operator/rulesets/:key/versions/:version/rules/:rule/mode': DRAFT,
  'POST /operator/rulesets/:key/versions/:version/archive': 'it gives up what nothing is decided by',
  'POST /operator/rulesets/:key/versions/:version/backtests': DRAFT,
  'POST /operator/rulesets/:key/versions/:version/backtests/:id/cancel': DRAFT,
  'POST /operator/custom-fields/backfills/:id/retry':
    'it takes up what two people have approved, and leaves an entry',
  'POST /operator/look-backs/:id/cancel': 'what it has opened stays, and the run can be asked for again',
  'POST /operator/rulesets/:key/snoozes/:id/lift': 'the rule speaks again',

  'POST /operator/lists':
    'an empty list finds nobody and clears nobody; it begins on the terms of its kind, and weaker ones are refused',
  'PATCH /operator/lists/:id': 'it is a name for people to read',
  'POST /operator/lists/:id/imports':
    'it adds what is looked for; an import that weakens the list, or begins a list of sanctions or PEPs, waits for a second person',
  'POST /operator/lists/:id/imports/:importId/reject': 'the list stays as it was',
  'POST /operator/screening/search': 'it reads; the name stands in the body and not in an address',

  'POST /operator/kyc-sessions': 'it asks a person for something',
  'POST /operator/kyc-sessions/:id/evidence/reveal': 'it reads, and leaves an entry',
  'POST /operator/kyc-sessions/:id/cancel': 'whoever waits for the session gets no approval by it',

  'POST /operator/transactions/:id/re-evaluate': AGAIN,
  'POST /operator/dead-letters/:id/replay': AGAIN,
  'POST /operator/dead-letters/replay': AGAIN,
  'POST /operator/audit/witnesses': 'it says what somebody outside has seen, with that one’s signature',
  'POST /operator/audit/exports': 'it reads, and leaves an entry',

  'POST /operator/client-apps': KEYS,
  'PATCH /operator/client-apps/:id': KEYS,
  'DELETE /operator/client-apps/:id': SAFER,
  'POST /operator/client-apps/:id/disable': SAFER,
  'POST /operator/client-apps/:id/enable': `${KEYS}, and such a one is refused`,
  'POST /operator/client-apps/:id/secrets': `${KEYS}, and such a one is refused`,
  'DELETE /operator/client-apps/:id/secrets/:secretId': SAFER,
  'POST /operator/webhook-endpoints': DELIVERY,
  'PATCH /operator/webhook-endpoints/:id': `${DELIVERY}; another address gets another secret`,
  'DELETE /operator/webhook-endpoints/:id': DELIVERY,
  'POST /operator/webhook-endpoints/:id/disable': DELIVERY,
  'POST /operator/webhook-endpoints/:id/pause': DELIVERY,
  'POST /operator/webhook-endpoints/:id/resume': DELIVERY,
  'POST /operator/webhook-endpoints/:id/recover': DELIVERY,
  'POST /operator/webhook-endpoints/:id/secret/rotate': DELIVERY,
  'POST /operator/webhook-endpoints/:id/test': DELIVERY,
  'POST /operator/webhook-deliveries/:id/retry': DELIVERY,
};
