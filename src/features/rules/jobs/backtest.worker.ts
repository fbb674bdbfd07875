import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer, ThreadRequest, ThreadStart } from '../backtests/backtest.thread.js';
import { BacktestEvaluator } from '../domain/backtest/backtest-evaluator.js';
import { localDayIn } from '../../../platform/kernel/values/local-day.js';
import { lowerPriority } from '../../../platform/kernel/work/nice.js';

lowerPriority();
const { definition, from, to } = workerData as ThreadStart;
const evaluator = new BacktestEvaluator(definition, { from, to }, localDayIn('America/Sao_Paulo'));
const port = parentPort;
if (!port) throw new Error('this is the script of a worker thread');

port.on('message', (request: ThreadRequest) => {
  let answer: ThreadAnswer;
  try {
    answer = { id: request.id, answer: handleRequest(request) };
  } catch (error) {
    // The answer has only the name of the error: its message could quote facts.
    answer = { id: request.id, failure: error instanceof Error ? error.name : 'unknown error' };
  }
  port.postMessage(answer);
});

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer =>
  Buffer.from(buffer, byteOffset, length);

function handleRequest(request: ThreadRequest): unknown {
  if ('add' in request) {
    return evaluator.add(bufferOf(request.add), request.declared && bufferOf(request.declared));
  }
  if ('ask' in request) return evaluator.state();
  evaluator.resume(request.resume);
  return null;
}
