import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Failure, Skeleton } from '../../parts/answers.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { say } from '../../parts/toasts.js';
import { useTexts } from '../../texts/language.js';
import { useDraftRuleset, useRulesets, type Rule } from './data.js';
import { rulesTexts } from './texts.js';

/** Drafts the next version of a ruleset, with the rule in shadow. */
export function AddToDialog({ rule, onClose }: { rule: Rule; onClose: () => void }): ReactElement {
  const t = useTexts(rulesTexts);
  const navigate = useNavigate();
  const rulesets = useRulesets();
  const draft = useDraftRuleset();
  const keys = [...new Set(rulesets.items?.map(({ key }) => key))];
  // The dialog begins with the first choice, so it waits for them.
  if (rulesets.error) return <Failure error={rulesets.error} />;
  if (!rulesets.items) return <Skeleton lines={2} />;
  return (
    <FormDialog
      title={t.addTo}
      action={t.addTo}
      fields={[{ name: 'key', label: t.ruleset, kind: 'choice', options: keys.map((key) => [key, key]) }]}
      onSend={async (filled) => {
        const key = filled.text('key');
        const putRules = [{ key: rule.key, version: rule.version, mode: 'SHADOW' as const }];
        const { version } = await draft.mutateAsync({ key, putRules });
        say(t.drafted(version));
        await navigate({ to: '/rulesets/$key/$version', params: { key, version: String(version) } });
      }}
      onClose={onClose}
    />
  );
}
