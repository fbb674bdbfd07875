import { childrenOf, type Expression } from '../syntax/ast.js';
import { FaultError } from '../syntax/diagnostics.js';
import { LIMITS } from '../vocabulary.js';

export function expressionSizeOf(node: Expression): { nodes: number; depth: number } {
  let nodes = 1;
  let depth = 0;
  for (const part of childrenOf(node)) {
    const size = expressionSizeOf(part);
    nodes += size.nodes;
    depth = Math.max(depth, size.depth);
  }
  return { nodes, depth: depth + 1 };
}

export function findBoundFaults(
  node: Expression,
  { nodes, depth }: { nodes: number; depth: number },
): FaultError[] {
  const faults: FaultError[] = [];
  if (nodes > LIMITS.nodes) {
    const hints = { expected: `at most ${LIMITS.nodes} parts`, found: String(nodes) };
    faults.push(new FaultError('TOO_LARGE', node, 'The expression has too many parts.', hints));
  }
  if (depth > LIMITS.depth) {
    const hints = { expected: `at most ${LIMITS.depth} levels`, found: String(depth) };
    faults.push(new FaultError('TOO_DEEP', node, 'The expression is nested too deeply.', hints));
  }
  return faults;
}
