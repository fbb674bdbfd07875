/** Does the work again, at most so many times in all, as long as it only lost to somebody else. */
export async function again<T>(
  most: number,
  lost: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= most || !lost(error)) throw error;
    }
  }
}
