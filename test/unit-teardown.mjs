import { discardTree } from './support/compiled-tree.mjs';

export default discardTree;
