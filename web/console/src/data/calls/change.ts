/** Acts that change something: what is shown of it is asked for anew. */
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { refresh } from './query.js';

/** A hook for acts after which the answers of these names are asked for again. */
export const changing = (...names: readonly string[]) =>
  function useChange<Input, Result>(
    run: (input: Input) => Promise<Result>,
  ): UseMutationResult<Result, Error, Input> {
    return useMutation({
      mutationFn: run,
      // Kept no longer than it is shown, as it may be a secret.
      gcTime: 0,
      onSuccess: () => {
        refresh(...names.map((name) => [name]));
      },
    });
  };
