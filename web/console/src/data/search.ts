/** One field for everything: customers, cases and transactions by whatever names them. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, dataOf, type Schemas } from '../api/client.js';
import { useMay } from './me.js';

export type Findings = Schemas['SearchFindingsView'];

const SHORTEST = 3;
const PAUSE_MS = 250;

/** Asks once the person pauses; what was found is forgotten with the box that asked. */
export function useSearchFor(text: string): {
  readonly found: Findings | undefined;
  readonly error: Error | null;
  readonly busy: boolean;
  readonly refetch: () => Promise<unknown>;
} {
  const may = useMay();
  const [q, setQ] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => {
      setQ(text.trim());
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  const enabled = q.length >= SHORTEST && may('kyt:read') === 'YES';
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['search', q],
    enabled,
    gcTime: 0,
    queryFn: ({ signal }) => dataOf(api.GET('/operator/search', { params: { query: { q } }, signal })),
  });
  return {
    found: enabled ? data : undefined,
    error: enabled ? error : null,
    busy: enabled && isFetching,
    refetch,
  };
}
