/** Lists of any length, page by page. */
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';

interface Page<T> {
  readonly data: readonly T[];
  readonly page: { readonly nextCursor: string | null };
}

export interface Pages<T> {
  readonly items: readonly T[] | undefined;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  readonly more: () => void;
  readonly refetch: () => Promise<unknown>;
}

/** The pages of a list that were asked for so far, as one; `more` asks for the next. */
export function usePages<T>(options: {
  readonly key: readonly unknown[];
  readonly ask: (cursor: string | null) => Promise<Page<T>>;
  readonly enabled?: boolean;
  readonly refetchInterval?: () => number | false;
}): Pages<T> {
  const query = useInfiniteQuery<Page<T>, Error, InfiniteData<Page<T>>, readonly unknown[], string | null>({
    queryKey: options.key,
    initialPageParam: null,
    queryFn: ({ pageParam }) => options.ask(pageParam),
    getNextPageParam: ({ page }) => page.nextCursor,
    enabled: options.enabled ?? true,
    // It asks for all pages again, which is too much once somebody has gone down far.
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > 2 ? false : (options.refetchInterval?.() ?? false),
  });
  return {
    items: query.data?.pages.flatMap(({ data }) => data),
    error: query.error,
    hasMore: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    more: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
    refetch: query.refetch,
  };
}

/** The parameters of a page: a cursor only from the second one on. */
export const pageQuery = (cursor: string | null, limit = 100): { limit: number; cursor?: string } =>
  cursor === null ? { limit } : { limit, cursor };
