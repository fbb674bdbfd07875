import { readFile } from 'node:fs/promises';
import { publicId } from '../../platform/kernel/index.js';
import { FeedIncarnationsService, LostEventsService, type LostItem } from '../../features/webhooks/index.js';
import { withServices } from '../context.js';

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** Reports the events and deliveries that a restored database lacks. `files`: text files of receivers that name ids. */
export async function reportRestore(files: readonly string[]): Promise<void> {
  await withServices(async (services) => {
    const incarnations = services.get(FeedIncarnationsService);
    await incarnations.detectRestart();
    const [, ...later] = await incarnations.listIncarnations();
    if (later.length === 0) {
      printLine('the database was never restored or promoted since the feed counts its lives');
    }
    for (const { number, reason, point, noticedAt, sameUntil } of later) {
      printLine(`life ${number} of the feed (${reason}), noticed ${noticedAt.toISOString()}`);
      printLine(`  nothing is lost before ${sameUntil?.toISOString() ?? 'its beginning: no mark is left'}`);
      printLine(`  readers beyond position ${point} are answered FEED_REWOUND`);
    }
    const tail = services.get(LostEventsService);
    const lostItems: LostItem[] = [];
    try {
      lostItems.push(...(await tail.findInQueue()));
    } catch {
      printLine('Redis does not answer: its jobs were not looked at'); // the rest of the report does not need Redis
    }
    for (const file of files) lostItems.push(...(await tail.findInText(await readFile(file, 'utf8'), file)));
    printLine(`events and deliveries that others hold and the database does not: ${lostItems.length}`);
    for (const { kind, id, madeAt, heldBy } of lostItems) {
      const name = publicId(kind === 'event' ? 'evt' : 'whd', id);
      printLine(`  ${kind}  ${name}  made ${madeAt.toISOString()}  held by ${heldBy}`);
    }
    printLine('the signed log: compare it with the anchors (vigia audit verify, docs/audit.md)');
  });
}
