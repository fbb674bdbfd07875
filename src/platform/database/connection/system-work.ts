/**
 * All work that needs the rows of more than one organisation, with the reason. The compiler accepts no other reason; a
 * test compares the list with docs/security.md and with the uses in the code.
 */
export const systemWork = {
  'approvals.sweep':
    'approved effects whose waiting time is over come about, and old requests end, whoever asked',
  'audit.anchors':
    'the anchor file holds checkpoints of all organisations, and each log is held against its own',
  'audit.checkpoints':
    'the newest signed checkpoint of every log is kept in memory, to be handed out with events',
  'audit.exports': 'a job carries references only; whose export it is is what the claim finds out',
  'audit.seal': 'one sealer makes leaves of the entries of all organisations, each in a log of its own',
  'audit.sweep': 'the trails of all organisations are judged one after the other, each in its own log',
  'auth.directory': 'a caller is known only by its client id until its application is found',
  'auth.organisation-by-key': 'an organisation is found or made by its short name on the command line',
  'customers.merges-seen':
    'every process forgets what it remembers of records that were merged, whoever they belong to',
  'dossiers.coaf':
    'a job carries references only; whose operations and cases they are is what the look finds out',
  'http.idempotency-sweep': 'stored answers older than a day are deleted, whoever they were given to',
  'http.request-log-sweep': 'logged requests older than thirty days are deleted, whoever sent them',
  'kyt.claim': 'a job carries references only; whose transactions they are is what the claim finds out',
  'kyt.dead-letters':
    'the command line of whoever runs the service lists and revives the dead letters of all',
  'kyt.facts-confirmed':
    'a job carries references only; whose confirmed facts they are is what the look at them finds out',
  'kyt.hit-uses':
    'a job carries references only; whose transactions a reopened hit let through is what the look at them finds out',
  'kyt.custom-field-backfill':
    'Values of custom fields are taken from earlier transactions in a fair order among organisations.',
  'kyt.late-effects':
    'a job carries references only; whose late transactions they are is what the look at them finds out',
  'kyt.leases': 'a worker extends the leases of everything that it holds',
  'kyt.look-backs': 'a job carries references only; whose look-back it is is what the claim finds out',
  'kyt.metrics': 'the backlog is measured over everybody',
  'kyt.waits': 'callers of any organisation wait for decisions that another process commits',
  'operators.directory': 'a session is known only by its token until its operator is found',
  'operators.login': 'whoever logs in gives an address or an invitation, not an organisation',
  'operators.sweep': 'logins that are over are deleted, whoever they were of',
  'privacy.erasure': 'the sweep destroys every data key whose erasure was requested',
  'privacy.erasures-seen':
    'every process drops the data keys whose erasure another one has requested, whoever they protect',
  'privacy.index-keys':
    'the keys of the blind indexes are those of all organisations, and a rotation looks at all that is indexed',
  'privacy.key-rotation': 'a new ring key wraps the data keys of all organisations anew',
  'privacy.keys-by-id':
    'a sealed value names its data key, not the organisation; the seal itself is bound to it',
  'queue.reconcile': 'the reconciler brings back whatever nobody finished, whoever it belongs to',
  'reviews.effects': 'a job carries references only; whose case was decided is what the look at it finds out',
  'reviews.hits':
    'a job carries references only; whose hits wait for a case is what the look at them finds out',
  'screening.index': 'the index of a process holds the lists of all organisations, each apart',
  'screening.rounds':
    'a job carries references only; whose customers are screened again is what the claim finds out',
  'rules.backtests': 'a job carries references only; whose back-test it is is what the claim finds out',
  'search.names': 'names of customers of all organisations are made findable, each under the key of its own',
  'uploads.sweep': 'files and rows of all organisations are compared, each with its own',
  'sessions.by-link': 'whoever holds a link is known only by it until the session is found',
  'sessions.checks': 'a job carries references only; whose sessions are checked is what the claim finds out',
  'sessions.step-ups': 'a job carries references only; whose transactions wait for a session is read by it',
  'sessions.reverification':
    'customers of all organisations are asked again when they are due, each by their own terms',
  'sessions.logos': 'a logo is known by the hash of its content to whoever sees a page, and not by its owner',
  'sessions.sweep': 'links whose time is over expire, whoever made them',
  'webhooks.answers-sweep': 'what receivers answered is kept for thirty days, whoever they belong to',
  'webhooks.restore-report':
    'events and deliveries that are lost name no organisation any more; only their ids are known',
  'webhooks.deliveries':
    'due deliveries of all receivers share the workers; each claim names its organisation',
} as const;

export type SystemReason = keyof typeof systemWork;
