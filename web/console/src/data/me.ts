import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../api/client.js';

export type Me = Schemas['MeView'];
export type Permission = Me['permissions'][number];

export const useMe = (): UseQueryResult<Me> =>
  useQuery({ queryKey: ['me'], queryFn: () => dataOf(api.GET('/operator/me')), staleTime: 60_000 });

/** Whether the person may do this now, only after a sign-in with the second factor, or not at all. */
export function useMay(): (permission: Permission) => 'YES' | 'LOCKED' | 'NO' {
  const { data: me } = useMe();
  return (permission) => {
    if (me?.permissions.includes(permission) === true) return 'YES';
    return me?.lockedPermissions.some((one) => one === permission) === true ? 'LOCKED' : 'NO';
  };
}
