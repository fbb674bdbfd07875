import type { ReactElement } from 'react';
import { usePeople } from '../../data/people.js';
import { dateTime } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Pill } from '../controls.js';
import { actionTexts } from './actions.js';

interface Entry {
  readonly seq?: number;
  readonly action: string;
  readonly actor?: string;
  readonly occurredAt: string;
}

/** Tells what happened to something, in order, and whether nothing of it was changed. */
export function Trail({ status, entries }: { status: string; entries: readonly Entry[] }): ReactElement {
  const people = usePeople();
  const actions = useTexts(actionTexts);
  const who = (actor: string): string => {
    const operator = /^operator:(.+)$/.exec(actor)?.[1] ?? (actor.startsWith('opr_') ? actor : null);
    return operator === null ? actor : (people(operator) ?? actor);
  };
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
