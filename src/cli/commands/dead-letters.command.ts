import { DeadLettersService } from '../../features/kyt/index.js';
import { countOf, publicId, uuidOf } from '../../platform/kernel/index.js';
import { withServices } from '../context.js';

/** Prints dead-lettered transactions, the oldest first. */
export async function listDeadLetters(limit: number): Promise<void> {
  await withServices(async (services) => {
    const letters = await services.get(DeadLettersService).listAll(limit);
    for (const letter of letters) {
      process.stdout.write(
        `${publicId('txn', letter.transactionRef)}  ${letter.transactionId}  ${letter.code} at ${letter.stage}, ` +
          `${countOf(letter.attempts, 'attempt', 'attempts')}, queued ${letter.queuedAt.toISOString()}\n`,
      );
    }
    if (letters.length === 0) process.stdout.write('no dead letters\n');
  });
}

/** Replays dead-lettered transactions; returns the exit status. */
export async function replayDeadLetters(ids: readonly string[]): Promise<number> {
  return withServices(async (services) => {
    const desk = services.get(DeadLettersService);
    let failed = 0;
    for (const id of ids) {
      const ref = uuidOf('txn', id);
      const revived = ref !== null && (await desk.replay(ref, 'cli'));
      if (!revived) failed += 1;
      process.stdout.write(`${id}  ${revived ? 'queued again' : 'is not a dead transaction'}\n`);
    }
    return failed === 0 ? 0 : 1;
  });
}
