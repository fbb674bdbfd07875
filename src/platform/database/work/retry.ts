/** Repeats the work after an error that `retryOn` accepts, up to `maxAttempts` runs in all. */
export async function retry<T>(
  work: () => Promise<T>,
  { maxAttempts, retryOn }: { readonly maxAttempts: number; readonly retryOn: (error: unknown) => boolean },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= maxAttempts || !retryOn(error)) throw error;
    }
  }
}
