import { useState, type ReactElement, type ReactNode } from 'react';
import type { Schemas } from '../../api/client.js';
import { useTyped } from '../../data/calls/typed.js';
import { common } from '../../texts/common.js';
import { number } from '../../texts/formats.js';
import { useTexts, type Catalogue } from '../../texts/language.js';
import { Failure } from '../answers.js';
import { Button, Field, Pill } from '../controls.js';
import { say } from '../toasts.js';
import { Dialog } from './dialog.js';
import { Restored, typedKey, useClose } from './kept.js';

const pt = {
  look: 'Ver o que seria',
  propose: (count: number) => (count === 1 ? 'Propor 1' : `Propor ${count}`),
  justification: 'Justificativa',
  would: 'seria pedido',
  refused: 'não pode',
  transactions: 'Transações',
  asked: (count: number, refused: number) =>
    refused === 0 ? `${count} pedidos enviados.` : `${count} pedidos enviados; ${refused} não puderam.`,
};
const en: typeof pt = {
  look: 'See what would happen',
  propose: (count) => `Propose ${count}`,
  justification: 'Justification',
  would: 'would be asked',
  refused: 'cannot be',
  transactions: 'Transactions',
  asked: (count, refused) =>
    refused === 0 ? `${count} requests sent.` : `${count} requests sent; ${refused} could not be.`,
};
const texts: Catalogue<typeof pt> = { pt, en };

interface BulkDialogProps {
  readonly title: string;
  readonly hint: string;
  /** The choice as a text: another choice has to be looked at anew. */
  readonly about: string;
  /** The ids of what is proposed: the text is about these alone. */
  readonly ids: readonly string[];
  readonly nameOf: (id: string) => string;
  readonly run: (justification: string, preview: boolean) => Promise<Schemas['BulkView']>;
  readonly children: ReactNode;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The same proposal for many: what would become of each is seen first, and then it is proposed. */
export function BulkDialog(props: BulkDialogProps): ReactElement {
  const { title, hint, about, ids, nameOf, run, children, onDone, onClose } = props;
  const t = useTexts(texts);
  const c = useTexts(common);
  const typed = useTyped(typedKey(title, ids.join()), '');
  const { value: text, set: setText } = typed;
  const close = useClose(typed, true, onClose);
  const [seen, see] = useState<{ readonly of: string; readonly answer: Schemas['BulkView'] } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const of = `${about} ${text}`;
  const present = seen?.of === of ? seen.answer : null;
  const send = async (preview: boolean): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const answer = await run(text.trim(), preview);
      if (preview) see({ of, answer });
      else {
        typed.sent();
        say(t.asked(answer.asked, answer.refused));
        onDone();
      }
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} wide onClose={close} stays={typed.isDirty}>
      <div className="stack">
        <p className="quiet">{hint}</p>
        <Restored typed={typed} />
        {failure !== null && <Failure error={failure} />}
        {children}
        <Field label={t.justification} hint={c.atLeast(20, text.trim().length)}>
          {(given) => (
            <textarea
              {...given}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
              }}
            />
          )}
        </Field>
        {present && (
          <div className="scroll" role="status">
            <table>
              <tbody>
                {present.items.map(({ id, result, code, transactions }) => (
                  <tr key={id}>
                    <td>{nameOf(id)}</td>
                    <td>
                      <Pill tone={result === 'REFUSED' ? 'bad' : 'good'}>
                        {result === 'REFUSED' ? t.refused : t.would}
                      </Pill>{' '}
                      {code !== null && <code>{code}</code>}
                    </td>
                    <td className="number">
                      {number(transactions)} <span className="hidden">{t.transactions}</span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <div className="row">
          <Button
            look="main"
            disabled={text.trim().length < 20 || busy}
            onClick={() => {
              void send(present === null || present.asked === 0);
            }}
          >
            {present !== null && present.asked > 0 ? t.propose(present.asked) : t.look}
          </Button>
          <Button onClick={close}>{c.cancel}</Button>
        </div>
      </div>
    </Dialog>
  );
}
