import type { ReactElement } from 'react';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/language.js';
import { useAskForLookBack, type Judge } from './data.js';
import { lookBacksTexts } from './texts.js';

const nameOf = (judge: Judge): string =>
  judge.kind === 'LIST' ? judge.name : `${judge.key}@${judge.version}`;

/** Asks for a look-back with one of what is in force. */
export function AskDialog({
  judges,
  onClose,
}: {
  judges: readonly Judge[];
  onClose: () => void;
}): ReactElement {
  const t = useTexts(lookBacksTexts);
  const c = useTexts(common);
  const ask = useAskForLookBack();
  return (
    <FormDialog
      title={t.ask}
      action={t.ask}
      fields={[
        {
          name: 'judge',
          label: t.judge,
          kind: 'choice',
          options: judges.map((judge, at) => [String(at), nameOf(judge)]),
        },
        { name: 'days', label: t.days, kind: 'number', initial: '30' },
        { name: 'reason', label: c.why, kind: 'long', minimum: 10 },
      ]}
      onSend={async (filled) => {
        const judge = judges[Number(filled.text('judge'))];
        if (!judge) return;
        const { days = 0 } = filled.number('days');
        await ask.mutateAsync({ judge, body: { days, reason: filled.text('reason') } });
        say(c.askedSecond);
      }}
      onClose={onClose}
    >
      <p className="quiet">{judges.length === 0 ? t.nothing : t.askHint}</p>
    </FormDialog>
  );
}
