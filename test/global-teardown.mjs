/** Stops what global-setup.mjs started and deletes its folder. A run that is killed is tidied up by the next one. */
export default async function globalTeardown() {
  // Without workers, what the files share runs in this process.
  await globalThis.vigiaOver?.();
  await globalThis.vigiaTestStack?.discard();
}
