import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, answerOf, dataOf } from '../api/client.js';
import { live } from '../data/calls/query.js';
import { Pill } from '../parts/controls.js';
import { relative } from '../texts/formats.js';
import { useTexts } from '../texts/language.js';
import { shellTexts } from './texts.js';

/** Whether the audit trail is whole, always in sight of those who may read it. */
export function Seal(): ReactElement | null {
  const t = useTexts(shellTexts);
  const status = useQuery({
    queryKey: ['audit', 'status'],
    queryFn: () => dataOf(api.GET('/operator/audit/status')),
    refetchInterval: live(30_000),
  });
  const gaps = useQuery({
    queryKey: ['audit', 'gaps'],
    queryFn: () => answerOf(api.GET('/operator/audit/gaps')),
    refetchInterval: live(60_000),
  });
  if (!status.data || !gaps.data) return null;
  const open = gaps.data.data.length;
  if (open > 0) return <Pill tone="bad">{t.trailGap(open)}</Pill>;
  const { checkpoint } = status.data;
  if (checkpoint === null) return <Pill tone="warn">{t.sealNone}</Pill>;
  return (
    <Pill tone="good">
      {t.trailWhole} · {t.sealed(relative(checkpoint.signedAt))}
    </Pill>
  );
}
