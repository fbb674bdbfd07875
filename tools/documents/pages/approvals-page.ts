import { actNames, policyOf } from '../../../src/features/approvals/index.js';
import { onePersonRoutes } from '../approval-routes.js';

/** docs/approvals.md, from the table of acts. */
export function approvalsMarkdown(): string {
  const rows = actNames.map((act) => {
    const { effect, ask, approve, waitsHours, livesDays, undo } = policyOf(act);
    const waits = waitsHours === 0 ? 'at once' : `after ${waitsHours} h`;
    return `| \`${act}\` | ${effect.en} | \`${ask}\` | \`${approve}\` | ${waits} | ${livesDays} days | ${undo.en} |`;
  });
  return [
    '# Approvals',
    '',
    'Generated from the sheets of subjects (`src/sheets.ts`) by `npm run docs`.',
    '',
    'One person asks, another one approves. The route that asks answers 202 with the request: what changes (`before`, `after`), why, until when, and its `digest`. It waits in the inbox of everybody who may approve it, `GET /operator/approvals`; `?inbox=MINE` shows the own open ones, `?inbox=DONE` what is decided. There a request to close a case has a `summary`: the customer, the amount, the rules, how many payments, the justification, and with their status all `hits` of the case and of the payments that it decides, also where a hit is in another case now. That of a request to file a communication with COAF says in `communication` what is filed: days, amounts, codes, narrative, the people whom it names, and each edit of the draft with who made it, when and why. That of a publication of rules, of a snooze and of a decision about a hit says in `lines`, in both languages, what takes effect: each rule with its mode, points and condition as a sentence, what the back-test found, both names of the hit. That of a request to confirm facts has in `facts` each value as it counts and as it would count, with who wrote it and when: read from the profile when it is looked at, by whoever may see customers (`customers:read`), and nothing any more when the request is decided, or the customer was changed, merged or erased since. <!-- test: customer-profiles.spec.ts | shows each value as it counts and as it would count, with who wrote it, until it is decided --> It is not approved when more waits than it names. <!-- test: customer-profiles.spec.ts | shows nothing of what was written after it, and is not approved for that -->',
    '',
    '| act | effect | asks | approves | takes effect | can be approved for | undone |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '- `POST /operator/approvals/{id}/approve {"digest": …}` approves exactly the change that was read. It needs a second factor. 409 `STATE_CONFLICT` when it is another change, when the object was changed after the request, or when the request has ended. The effect and the approval are one commit.',
    '- `/refuse` and `/withdraw`, each with a `reason`. Who asked withdraws; others refuse. An approved effect that still waits may be withdrawn by everybody who could have approved it.',
    '- **A second person** is somebody else, with the permission, who did not invite, reset or let in again the first one within 30 days, nor give them a role that this act needs and that they had not otherwise, nor the other way round. 403 `FOUR_EYES_REQUIRED` says which it is (`SAME_PERSON`, `NOT_INDEPENDENT`). A machine neither asks nor approves (`PEOPLE_ONLY`): somebody holds its secret. Whose account was changed in the database, or whose session is that of no login, approves nothing (409 `AUDIT_TRAIL_INCOMPLETE`, `ACCOUNT_ALTERED` or `SESSION_WITHOUT_LOGIN`); the entry keeps the roles and the session of who approved, and the request is a gap where the trail of that person says otherwise.',
    '- **Single control.** Where nobody independent may approve, `"singleControl": true` lets one person go on, and the request says so for ever. Within 30 days whoever disabled somebody or took roles away does not go on so, nor does anybody in an act that the person could have approved (`TOOK_SOMEBODY_AWAY`); the command line of the installation brings somebody in. That person and all administrators are told by mail. `GET /operator/approvals/control`, and `singleControl` in `GET /operator/me`, name the acts that could only be decided alone, whoever asks; `people` of the former names everybody who would decide which acts alone, and who does not count as a second person for whom, in which acts and until when; empty is what an auditor wants to see. A result that rests on such a decision is not defensible, with `SINGLE_CONTROL` in `nonDefensibleReasons` and in its receipt: a case, a hit, the terms or an import of a list, a snooze, a ruleset, a lower risk level, exchange rates, a flow, a provider, custom fields, what a customer declared, what an application says of customers. Nobody alone closes a case with an approval (`NOT_SINGLE_HANDED`): it stays open, and its transactions on `HOLD`, unless whoever runs the installation has declared the organisation single-handed (`vigia organisations single-handed KEY`, `singleHanded` in `GET /operator/approvals/control`). <!-- test: hit-memory.spec.ts | a case: its payment is on HOLD, unless the installation has declared the organisation single-handed --> The end of a freeze marks every later result about the person. <!-- test: freezes.spec.ts | leaves its mark on every later result about the person --> Erasures, discards, filings, repairs, people and the end of a legal hold change no result; their requests and trails keep the mark.',
    '- The database refuses each of these effects but `fact.confirm`, whose values are encrypted, in a transaction in which no approved request for exactly it was applied, keeps requests and what they are about as they were asked for, and lets no row begin as what two people make of it. <!-- test: approvals-in-database.spec.ts | refuses the effect of %s to the role of the service, without a request --> It binds the role of the service; what it cannot see is who types: whoever holds the role of the database can write the names of two people, and an entry by `system:` for what the command line may, and the trail keeps both. Requests that nobody decides end by themselves. Each step is an entry in the audit trail (`approval`); reasons are sealed.',
    '',
    '## Who asks where',
    '',
    'Every operator route that changes something stands in one of these two tables; a test holds them against the router.',
    '',
    '| act | asked by |',
    '|---|---|',
    ...actNames.map(
      (act) =>
        `| \`${act}\` | ${policyOf(act)
          .routes.map((one) => `\`${one}\``)
          .join(', ')} |`,
    ),
    '',
    '## What one person may do, and why',
    '',
    '| route | one person is enough because |',
    '|---|---|',
    ...Object.entries(onePersonRoutes).map(([route, because]) => `| \`${route}\` | ${because} |`),
    '',
    'The command line of the installation needs no second person: it seeds the rulesets and flows of the product, imports lists and exchange rates, invites the first people and helps who is locked out. Every such step is in the audit trail, by `system:`. The first administrator of an organisation brings the second one in under single control.',
    '',
  ].join('\n');
}
