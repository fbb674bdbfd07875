import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicId } from '../../src/platform/kernel/index.js';
import { QueueTransport } from '../../src/platform/queue/index.js';
import { FeedIncarnationsService, LostEventsService } from '../../src/features/webhooks/index.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { copyOf, freshDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { oneEach, publishEvents } from '../support/published.js';

interface Feed {
  readonly data: readonly { readonly id: string }[];
  readonly page: { readonly nextCursor: string; readonly hasMore: boolean };
}

let restored: TestApp;
let reader: TestClient;
/** Seen by the reader: before the backup, and after it. */
let kept: string[];
let lost: string[];
let early: string;
let late: string;

const feed = (app: TestApp, query: string) => app.api.as(reader).get(`/events${query}`);
const filled = (app: TestApp, query: string, many: number): Promise<Feed> =>
  eventually(`the feed holds ${many} events`, async () => {
    const page = (await feed(app, query).expect(200)).body as Feed;
    return page.data.length >= many && page;
  });
const publish = async (app: TestApp, many: number): Promise<string[]> =>
  (await publishEvents(app, reader, oneEach(many))).map((id) => publicId('evt', id));
const idsOf = (page: Feed): string[] => page.data.map(({ id }) => id);

beforeAll(async () => {
  const database = await freshDatabase();
  const first = await startTestApp({ database });
  reader = await first.client({ scopes: ['events:read', 'kyt:ingest'], rules: false });
  await eventually('the feed is in its first life', async () => {
    const { rows } = await first.owner.query('SELECT FROM event_marks');
    return rows.length > 0;
  });
  early = ((await feed(first, '').expect(200)).body as Feed).page.nextCursor;
  // Everything up to that cursor is older than the newest mark.
  await first.owner.query(
    `INSERT INTO event_marks (position)
     SELECT base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint FROM event_feed`,
  );
  kept = await publish(first, 2);
  await filled(first, '', 2);
  await first.close();
  const backup = await copyOf(database);

  const second = await startTestApp({ database, like: first });
  lost = await publish(second, 3);
  late = (await filled(second, '', 5)).page.nextCursor;
  await second.close();
  restored = await startTestApp({ database: backup, like: first, settings: { databaseUrl: backup.appUrl } });
});

afterAll(async () => {
  await restored.close();
});

/** The place that a reader is sent to whose cursor is refused. */
async function refusedWith(cursor: string): Promise<string> {
  const { body } = await feed(restored, `?cursor=${cursor}`).expect(409);
  const { error } = body as { error: { code: string; details: { path: string; suggestion: string }[] } };
  expect([error.code, error.details.map(({ path }) => path)]).toEqual(['FEED_REWOUND', ['cursor']]);
  return error.details[0]?.suggestion ?? '';
}

describe('a feed whose database was restored', () => {
  it('refuses a cursor from the lost time, and names the point from which nothing is skipped', async () => {
    const suggestion = await refusedWith(late);
    expect(idsOf(await filled(restored, `?cursor=${suggestion}`, 2))).toEqual(kept);
    const fresh = await publish(restored, 2);
    expect(idsOf(await filled(restored, `?cursor=${suggestion}`, 4))).toEqual([...kept, ...fresh]);
    expect(await refusedWith(late)).toBe(suggestion);
  });

  it('goes on from a cursor of before the point', async () => {
    expect(idsOf(await filled(restored, `?cursor=${early}`, 2)).slice(0, 2)).toEqual(kept);
  });

  it('says so in the log and in the trail of operations', async () => {
    expect(restored.log.join('')).toContain('vigia restore report');
    const { rows } = await restored.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM audit_entries WHERE action = 'ops.feed.rewound'`,
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('finds what others hold of the lost time, by its ids', async () => {
    const found = await restored.app
      .get(LostEventsService)
      .findInText(`kept: ${[...kept, ...lost].join(' ')}`, 'a receiver');
    expect(found.map(({ kind, heldBy }) => [kind, heldBy])).toEqual(lost.map(() => ['event', 'a receiver']));
    expect(found.map(({ id }) => `evt_${id.replaceAll('-', '')}`).sort()).toEqual([...lost].sort());
  });

  it('notices a counter that went back in the same database, by what Redis remembers', async () => {
    const { rows } = await restored.owner.query<{ identity: string }>(
      'SELECT identity FROM event_incarnations ORDER BY number DESC LIMIT 1',
    );
    const before = { identity: rows[0]?.identity, horizon: Number.MAX_SAFE_INTEGER };
    await eventually('it is noticed', async () => {
      // Each time: a look that had begun before writes what it saw afterwards.
      await restored.app.get(QueueTransport).remember('feed', JSON.stringify(before));
      const lives = await restored.app.get(FeedIncarnationsService).listIncarnations();
      return lives.at(-1)?.reason === 'REWOUND';
    });
  });
});
