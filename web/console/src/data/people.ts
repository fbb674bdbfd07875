import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../api/client.js';
import { useMe } from './me.js';

export type Person = Schemas['PersonView'];

/** The people of the organisation, by name: everybody may know them. */
export const useColleagues = (): readonly Person[] =>
  useQuery({
    queryKey: ['people'],
    staleTime: 5 * 60_000,
    queryFn: async () => (await dataOf(api.GET('/operator/people', {}))).people,
  }).data ?? [];

/** Names of operators by their id; of those who have left, the end of the id; a program by its own name. */
export function usePeople(): (id: string | null) => string | null {
  const { data: me } = useMe();
  const people = useColleagues();
  return (id) => {
    if (id === null) return null;
    if (id === me?.id) return me.name;
    const known = people.find((one) => one.id === id)?.displayName;
    return known ?? (id.startsWith('opr_') ? `…${id.slice(-6)}` : id);
  };
}
