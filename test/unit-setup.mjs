import { compileForRun } from './support/compiled-tree.mjs';

/** The tests beside the sources load them compiled, as those with servers do; see support/loaded-once.mjs. */
export default compileForRun;
