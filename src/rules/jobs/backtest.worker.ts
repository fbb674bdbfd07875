import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer, ThreadRequest, ThreadStart } from '../backtests/backtest.thread.js';
import { BacktestJudge } from '../domain/backtest-judge.js';
import { localDayIn } from '../../kernel/values/local-day.js';

const { definition, from, to } = workerData as ThreadStart;
const judge = new BacktestJudge(definition, { from, to }, localDayIn('America/Sao_Paulo'));
const port = parentPort;
if (!port) throw new Error('this is the script of a worker thread');

port.on('message', (request: ThreadRequest) => {
  let answer: ThreadAnswer;
  try {
    answer = { id: request.id, answer: obey(request) };
  } catch (error) {
    // Only the kind: a message could quote what was judged.
    answer = { id: request.id, failure: error instanceof Error ? error.name : 'unknown error' };
  }
  port.postMessage(answer);
});

function obey(request: ThreadRequest): unknown {
  if ('add' in request) {
    const { buffer, byteOffset, length } = request.add;
    return judge.add(Buffer.from(buffer, byteOffset, length));
  }
  if ('ask' in request) return judge.state();
  judge.resume(request.resume);
  return null;
}
