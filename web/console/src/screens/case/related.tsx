import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '../../api/client.js';
import { useAddRelated } from '../../data/case-parts.js';
import { useMay } from '../../data/me.js';
import { Asked, Failure } from '../../parts/answers.js';
import { Button, Field } from '../../parts/controls.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/language.js';
import { paymentName } from './payment-name.js';
import { relatedTexts } from './related-texts.js';

interface RelatedProps {
  readonly caseId: string;
  readonly related: UseQueryResult<Schemas['RelatedTransactionsView']>;
  readonly minimum: number;
  /** Why the payments stay out. */
  readonly without: string;
  readonly told: boolean;
  readonly onWithout: (text: string) => void;
  /** Called with the revision of the case that has the payments. */
  readonly onAdded: (revision: number) => void;
}

/** The payments that a communication of this case would leave out: one button adds them, or a text says why not. */
export function Related({
  caseId,
  related,
  minimum,
  without,
  told,
  onWithout,
  onAdded,
}: RelatedProps): ReactElement {
  const t = useTexts(relatedTexts);
  const c = useTexts(common);
  const may = useMay();
  const add = useAddRelated(caseId);
  const hint = c.atLeast(minimum, without.trim().length);
  const addAll = (): void => {
    add.mutate(
      { reason: t.reason },
      {
        onSuccess: ({ revision }) => {
          onAdded(revision);
          say(t.added);
        },
      },
    );
  };
  return (
    <div className="stack" role="group" aria-label={t.title}>
      <span className="label">{t.title}</span>
      <Asked query={related} lines={2}>
        {({ transactions, more }) =>
          transactions.length === 0 ? (
            <p className="quiet small">{t.none}</p>
          ) : (
            <>
              <p className="small">{t.hint}</p>
              <ul className="plain related">
                {transactions.map((one) => (
                  <li key={one.id}>
                    <Link to="/transactions/$id" params={{ id: one.id }}>
                      {paymentName(one)}
                    </Link>
                  </li>
                ))}
              </ul>
              {more && <p className="quiet small">{t.more}</p>}
              {may('reviews:work') === 'YES' && (
                <div>
                  <Button disabled={add.isPending} onClick={addAll}>
                    {t.addAll}
                  </Button>
                  <p className="quiet small">{t.reasonHint(t.reason)}</p>
                </div>
              )}
              {add.error && <Failure error={add.error} />}
              <Field
                label={t.without}
                hint={hint}
                fault={told && without.trim().length < minimum ? hint : null}
              >
                {(given) => (
                  <textarea
                    {...given}
                    rows={3}
                    value={without}
                    onChange={(event) => {
                      onWithout(event.target.value);
                    }}
                  />
                )}
              </Field>
            </>
          )
        }
      </Asked>
    </div>
  );
}
