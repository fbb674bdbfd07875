import { discardTree } from './support/compiled-tree.mjs';

/** Stops what global-setup.mjs started and deletes its folder. A run that is killed is tidied up by the next one. */
export default async function globalTeardown() {
  await globalThis.vigiaTestStack?.discard();
  discardTree();
}
