import type { ReactElement } from 'react';
import { usePeople } from '../../data/people.js';
import { dateTime } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Pill } from '../controls.js';
import { actionTexts } from './actions.js';

/** Returns who did something: the name of an operator, or what else acted. */
export function useActor(): (actor: string) => string {
  const people = usePeople();
  return (actor) => {
    const [kind = '', id] = actor.split(':');
    // The log keeps the id without the prefix that it has everywhere else.
    const operator =
      kind === 'operator'
        ? `opr_${(id ?? '').replaceAll('-', '').replace(/^opr_/, '')}`
        : actor.startsWith('opr_')
          ? actor
          : null;
    if (operator !== null) return people(operator) ?? actor;
    return word('actor', kind);
  };
}

interface Entry {
  readonly seq?: number;
  readonly action: string;
  readonly actor?: string;
  readonly occurredAt: string;
}

/** Tells what happened to something, in order, and whether nothing of it was changed. */
export function Trail({ status, entries }: { status: string; entries: readonly Entry[] }): ReactElement {
  const actions = useTexts(actionTexts);
  const who = useActor();
  return (
    <>
      <p>
        <Pill tone={status === 'COMPLETE' ? 'good' : 'bad'}>{word('trail', status)}</Pill>
      </p>
      <table>
        <tbody>
          {entries.map((entry, at) => (
            <tr key={entry.seq ?? at}>
              <td className="quiet">{dateTime(entry.occurredAt)}</td>
              <td>
                <span title={entry.action}>{actions[entry.action] ?? <code>{entry.action}</code>}</span>
              </td>
              <td className="quiet">{entry.actor !== undefined && who(entry.actor)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
