import { execFile } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import {
  systemActor,
  AuditTrail,
  CHAIN_START,
  composeEntry,
  DirectExportsService,
  LegalHold,
  LegalHolds,
  isBlocking,
  LogAuditorService,
  PruningService,
  auditDraftOf,
  type ComposedEntry,
  type Subject,
  type TrailVerdict,
} from '../../src/features/audit/index.js';
import {
  EMPTY_FRONTIER,
  appendLeaves,
  isConsistent,
  rootFromInclusion,
  rootOf,
} from '../../src/features/audit/domain/merkle.js';
import { LogProofBuilder } from '../../src/features/audit/log/log-proof-builder.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { roles, scopes } from '../../src/platform/http/index.js';
import { newUuid, publicId, type Clock } from '../../src/platform/kernel/index.js';
import type { TestClient } from '../support/api.js';
import { processEnv } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { fromSource } from '../support/engine-flags.js';
import { eventually } from '../support/eventually.js';
import { flipBytes, node, unpacked, verdictOf } from '../support/package-verifiers.js';
import { behindItsBack } from '../support/tamper.js';

const dir = mkdtempSync(path.join(tmpdir(), 'vigia-pruning-'));

class HoldsOfTest {
  subjects: readonly Subject[] = [];

  @LegalHold('tests')
  async *held(): AsyncGenerator<readonly Subject[]> {
    await Promise.resolve();
    yield this.subjects;
  }
}

@Module({ providers: [HoldsOfTest] })
class HoldsModule {}

let t: TestApp;
let client: TestClient;
let organisationId: string;
let pin: string;

beforeAll(async () => {
  t = await startTestApp({ modules: [HoldsModule] });
  client = await t.client({ scopes: [...scopes] });
  ({ organisationId } = client);
});

afterAll(async () => {
  await t.close();
  rmSync(dir, { recursive: true, force: true });
});

const ctx = (): ReturnType<typeof systemActor> => systemActor(organisationId, 'cli');

/** A trail of an earlier year, as long as wanted. */
function oldTrail(year: number, length: number, type: 'dossier' | 'operator' = 'dossier'): ComposedEntry[] {
  const id = newUuid();
  const entries: ComposedEntry[] = [];
  for (let seq = 1; seq <= length; seq += 1) {
    const last = entries.at(-1);
    const at = new Date(Date.UTC(year, 5, seq));
    const draft = auditDraftOf(ctx(), type, id, 'dossier.exported', at, { about: 'pruning' });
    entries.push(composeEntry(draft, last ? { seq, previousHash: last.hash } : CHAIN_START));
  }
  return entries;
}

/** Writes trails, sealed, as if they had been recorded when they say that they happened. */
async function write(...trails: readonly ComposedEntry[][]): Promise<void> {
  // Interleaved, so that no trail is a run of leaves.
  const longest = Math.max(...trails.map(({ length }) => length));
  for (let i = 0; i < longest; i += 1) {
    const round = trails.flatMap((trail) => trail.slice(i, i + 1));
    await t.app.get(UnitOfWork).run(organisationId, (tx) => t.app.get(AuditTrail).append(tx, round));
  }
  await sealed();
}

const sealed = (): Promise<boolean> =>
  eventually('everything is sealed', async () => {
    const { rows } = await t.owner.query('SELECT FROM audit_pending WHERE organisation_id = $1', [
      organisationId,
    ]);
    return rows.length === 0;
  });

const on = ([first]: readonly ComposedEntry[]): Promise<TrailVerdict> =>
  t.app.get(AuditTrail).trailStatus(first!.subject);

/** Prunes as it would be done in that year; for everything else it is now. */
async function pruneIn(year: number, dryRun = false): ReturnType<PruningService['prune']> {
  const clock: Clock = { now: () => Date.UTC(year, 5, 1) };
  const pruning: unknown = Object.assign(
    Object.create(PruningService.prototype) as object,
    t.app.get(PruningService),
    {
      clock,
    },
  );
  const pruned = await (pruning as PruningService).prune(ctx(), { dryRun });
  await sealed();
  return pruned;
}

let made = 0;
async function aPackage(filter: { subjectType?: string; subjectId?: string } = {}): Promise<string> {
  const file = path.join(dir, `${++made}.zip`);
  const request = { organisationId, filter, requestedBy: 'operator:test', reason: 'a test of pruning' };
  await t.app.get(DirectExportsService).writePackage(request, createWriteStream(file));
  [pin = ''] = (await t.app.get(LogAuditorService).readStatus(organisationId)).verifierKeys;
  return file;
}

/** Every leaf leads to the signed root, and every smaller tree is a beginning of it. */
async function expectEveryProof(): Promise<void> {
  const { checkpoint } = await t.app.get(LogAuditorService).readStatus(organisationId);
  const { size, root } = checkpoint!;
  const { rows } = await t.owner.query<{ hash: Buffer }>(
    'SELECT hash FROM audit_leaves WHERE organisation_id = $1 ORDER BY leaf_index',
    [organisationId],
  );
  const hashes = rows.slice(0, size).map(({ hash }) => hash);
  expect(hashes).toHaveLength(size);
  const proofs = t.app.get(LogProofBuilder);
  const indices = hashes.map((_, i) => i);
  const paths = await proofs.proveInclusions(organisationId, indices, size);
  let frontier = EMPTY_FRONTIER;
  for (const [index, hash] of hashes.entries()) {
    expect(rootFromInclusion(index, size, hash, paths[index] ?? [])).toEqual(root);
    frontier = appendLeaves(frontier, [hash]);
    const from = { size: index + 1, root: rootOf(frontier) };
    const path = await proofs.proveConsistency(organisationId, from.size, size);
    expect(isConsistent(from, { size, root }, path)).toBe(true);
  }
}

describe('Entries that were kept as long as they had to be', () => {
  const YEARS = [2001, 2002, 2003, 2004, 2005, 2006];
  const trails = new Map<number, ComposedEntry[][]>();

  beforeAll(async () => {
    for (const [i, year] of YEARS.entries()) {
      trails.set(year, [oldTrail(year, 1 + (i % 3)), oldTrail(year, 2)]);
    }
    await write(...[...trails.values()].flat());
  });

  it('go year by year; whatever prefix is gone, all that remains is proven, by the service and offline', async () => {
    for (const year of YEARS) {
      const own = trails.get(year) ?? [];
      const entries = own.flat().length;
      // Ten years, counted from 1 January of the year after.
      expect(await pruneIn(year + 10)).toMatchObject({ trails: 0, entries: 0 });
      expect(await pruneIn(year + 11, true)).toMatchObject({ trails: 2, entries });
      expect((await on(own[0]!)).status).toBe('COMPLETE');
      expect(await pruneIn(year + 11)).toMatchObject({ trails: 2, entries, held: 0, flawed: 0 });
      for (const [then, both] of trails) {
        for (const trail of both) {
          const isGone = then <= year;
          expect(await on(trail)).toMatchObject({
            status: isGone ? 'PRUNED' : 'COMPLETE',
            length: trail.length,
            pruned: isGone ? trail.length : 0,
            gaps: [],
          });
        }
      }
      await expectEveryProof();
      const file = await aPackage();
      expect(await verdictOf(file, '--pin', pin)).toBe('VERIFIED');
      expect(await verdictOf(await aPackage({ subjectType: 'dossier' }), '--pin', pin)).toBe('VERIFIED');
    }
    const { rows } = await t.owner.query(`SELECT FROM audit_entries WHERE subject_type = 'dossier'`);
    expect(rows).toEqual([]);
  }, 180_000);

  it('are named by an entry of the log, and everything that tells of the log says how many there are', async () => {
    const gone = [...trails.values()].flat(2).length;
    const { rows } = await t.owner.query<{ canonical: Buffer }>(
      `SELECT canonical FROM audit_entries WHERE action = 'audit_log.pruned' ORDER BY subject_seq`,
    );
    const first = JSON.parse(rows[0]!.canonical.toString('utf8')) as { actor: string; content: object };
    expect(rows).toHaveLength(YEARS.length);
    expect(first).toMatchObject({
      actor: 'system:cli',
      content: { before: '2002-01-01T03:00:00.000Z', trails: 2, entries: 3, leaves: expect.any(Array) },
    });
    expect(await t.app.get(LogAuditorService).readStatus(organisationId)).toMatchObject({ pruned: gone });
    const folder = unpacked(await aPackage());
    const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({ pruned: gone, trails: { pruned: 2 * YEARS.length, incomplete: 0 } });
    const csv = readFileSync(path.join(folder, 'events.csv'), 'utf8');
    expect(csv.split('\r\n').filter((line) => line.includes(',PRUNED,'))).toHaveLength(gone);
    const { lines } = await node(folder, '--pin', pin);
    expect(lines.join('\n')).toContain(`of ${gone} only the hash is left`);
    const auditor = t.api.asOperator(await t.operator({ organisationId, roles: ['AUDITOR'] }));
    const [trail] = trails.get(2001) ?? [];
    const answer = await auditor.get(`/operator/audit/trails/dossier/${trail![0]!.subject.id}`).expect(200);
    expect(answer.body).toMatchObject({ data: { status: 'PRUNED', pruned: 1, length: 1 } });
    expect((await auditor.get('/operator/audit/status').expect(200)).body).toMatchObject({
      data: { pruned: gone },
    });
  });

  it('leave a package in which every changed byte is still found', async () => {
    const folder = unpacked(await aPackage());
    await flipBytes(folder, ['events.jsonl', 'prunings.jsonl', 'manifest.json'], 150, '--pin', pin);
    expect((await node(folder, '--pin', pin)).verdict).toBe('VERIFIED');
  });

  it.each<[string, (folder: string) => void]>([
    [
      'an entry is given out as pruned',
      (folder) => {
        edit(folder, 'events.jsonl', (lines) => {
          const at = lines.findIndex((line) => line.includes('"canonical"'));
          lines[at] = JSON.stringify({
            index: at,
            pruned: Buffer.alloc(32).toString('base64'),
            subject: 'x:1',
            seq: 1,
          });
        });
      },
    ],
    [
      'the hash of a pruned entry is another',
      (folder) => {
        edit(folder, 'events.jsonl', (lines) => {
          const at = lines.findIndex((line) => line.includes('"pruned"'));
          lines[at] = lines[at]!.replace(
            /"pruned":"[^"]*"/,
            `"pruned":"${Buffer.alloc(32).toString('base64')}"`,
          );
        });
      },
    ],
    [
      'the entries that name what was pruned are taken out',
      (folder) => {
        rmSync(path.join(folder, 'prunings.jsonl'));
      },
    ],
    [
      'one that names it says more',
      (folder) => {
        edit(folder, 'prunings.jsonl', (lines) => {
          const line = JSON.parse(lines[0] ?? '') as { canonical: string };
          const said = Buffer.from(line.canonical, 'base64')
            .toString()
            .replace('"leaves":[', '"leaves":["0-900",');
          lines[0] = JSON.stringify({ ...line, canonical: Buffer.from(said).toString('base64') });
        });
      },
    ],
  ])('are no way to hide anything: %s', async (_what, change) => {
    const folder = unpacked(await aPackage());
    expect(await verdictOf(folder, '--pin', pin)).toBe('VERIFIED');
    change(folder);
    expect(['TAMPERED', 'INCOMPLETE']).toContain(await verdictOf(folder, '--pin', pin));
  });

  it('a trail that is gone can go on: the next entry links to the hash of the last one', async () => {
    const [trail] = trails.get(2003) ?? [];
    const { subject, hash } = trail!.at(-1)!;
    const [entry] = await t.app
      .get(UnitOfWork)
      .run(organisationId, (tx) =>
        t.app
          .get(AuditTrail)
          .record(tx, [
            auditDraftOf(ctx(), 'dossier', subject.id, 'dossier.exported', new Date(), { about: 'again' }),
          ]),
      );
    expect(entry?.position).toEqual({ seq: trail!.length + 1, previousHash: hash });
    await sealed();
    expect(await on(trail!)).toMatchObject({
      status: 'PRUNED',
      pruned: trail!.length,
      length: trail!.length + 1,
    });
    expect(await verdictOf(await aPackage(), '--pin', pin)).toBe('VERIFIED');
    expect(
      await verdictOf(await aPackage({ subjectType: 'dossier', subjectId: subject.id }), '--pin', pin),
    ).toBe('VERIFIED');
  });
});

describe('Entries that stay', () => {
  it('those of one trail stay together until the last of them is old enough', async () => {
    const trail = oldTrail(2008, 1);
    const later = auditDraftOf(
      ctx(),
      'dossier',
      trail[0]!.subject.id,
      'dossier.exported',
      new Date(Date.UTC(2009, 1)),
      {},
    );
    trail.push(composeEntry(later, { seq: 2, previousHash: trail[0]!.hash }));
    await write(trail);
    expect(await pruneIn(2019)).toMatchObject({ trails: 0 });
    expect(await on(trail)).toMatchObject({ status: 'COMPLETE' });
    expect(await pruneIn(2020)).toMatchObject({ trails: 1, entries: 2 });
  });

  it('what a legal hold keeps', async () => {
    const [held, free] = [oldTrail(2007, 2), oldTrail(2007, 1)];
    await write(held, free);
    const holds = t.app.get(HoldsOfTest);
    holds.subjects = [held[0]!.subject];
    expect(await pruneIn(2018)).toMatchObject({ trails: 1, entries: 1, held: 1 });
    expect([await on(held), await on(free)]).toMatchObject([{ status: 'COMPLETE' }, { status: 'PRUNED' }]);
    holds.subjects = [];
    expect(await pruneIn(2018)).toMatchObject({ trails: 1, entries: 2, held: 0 });
  });

  it('a hold on a customer keeps everything that a file about the customer tells of', async () => {
    const body = aTransaction({ externalCustomerId: 'on-hold' });
    await t.api.as(client).ingest(body).expect(202);
    await t.api.as(client).settled(body.transactionId);
    const { rows } = await t.owner.query<{ id: string; customer: string }>(
      `SELECT x.id, c.id AS customer FROM kyt_transactions x JOIN customers c ON c.organisation_id = x.organisation_id
         AND (c.external_index = x.customer_key OR c.document_index = x.document_key) WHERE x.transaction_id = $1`,
      [body.transactionId],
    );
    const { id, customer } = rows[0]!;
    const holds = t.app.get(LegalHolds);
    expect((await holds.findHeldSubjects(organisationId)).has(`transaction:${id}`)).toBe(false);
    const officer = t.api.asOperator(await t.operator({ organisationId, roles: [...roles] }));
    await officer
      .post(`/operator/customers/${publicId('cus', customer)}/legal-hold`)
      .send({ reason: 'a court has asked for everything about this customer' })
      .expect(200);
    const held = await holds.findHeldSubjects(organisationId);
    expect([held.has(`transaction:${id}`), held.has(`customer:${customer}`)]).toEqual([true, true]);
  });

  it('a trail with a gap: what is wrong with it does not go with it', async () => {
    const trail = oldTrail(2007, 2);
    await write(trail);
    await behindItsBack(
      t,
      'audit_entries',
      'DELETE FROM audit_entries WHERE subject_id = $1 AND subject_seq = 2',
      [trail[0]!.subject.id],
    );
    expect(await pruneIn(2018)).toMatchObject({ trails: 0, flawed: 1 });
    expect((await on(trail)).status).toBe('MISSING_EVENTS');
  });

  it('settings and people, whose trails may be needed for as long as they are there', async () => {
    const trail = oldTrail(2001, 1, 'operator');
    await write(trail);
    expect(await pruneIn(2018)).toMatchObject({ trails: 0 });
    expect((await on(trail)).status).toBe('COMPLETE');
  });

  it('while a package is made, nothing goes', async () => {
    const trail = oldTrail(2007, 1);
    await write(trail);
    const auditor = t.api.asOperator(await t.operator({ organisationId, roles: ['AUDITOR'] }));
    const body = { reason: 'while it is pruned', auditReady: false };
    const asked = await auditor.post('/operator/audit/exports').send(body).expect(202);
    const { id } = (asked.body as { data: { id: string } }).data;
    await eventually('it is ready', async () => {
      const { body: one } = await auditor.get(`/operator/audit/exports/${id}`).expect(200);
      return (one as { data: { status: string } }).data.status === 'READY';
    });
    await t.owner.query(
      `UPDATE audit_exports SET status = 'RUNNING', lease_until = now() + interval '1 minute'`,
    );
    await expect(pruneIn(2018)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await t.owner.query(`UPDATE audit_exports SET status = 'READY'`);
    expect(await pruneIn(2018)).toMatchObject({ trails: 1 });
  });
});

it('a package that is written by command while entries are pruned is not taken for one', async () => {
  const trail = oldTrail(2007, 1);
  await write(trail);
  const request = { organisationId, filter: {}, requestedBy: 'operator:test', reason: 'a test of pruning' };
  let pruning: Promise<unknown> | undefined;
  const progress = async (): Promise<void> => {
    pruning ??= pruneIn(2018);
    await pruning;
  };
  const output = createWriteStream(path.join(dir, 'no-package.zip'));
  await expect(
    t.app.get(DirectExportsService).writePackage({ ...request, progress }, output),
  ).rejects.toThrow('Entries were pruned while the package was written');
  const [{ subject }] = trail as [ComposedEntry];
  const again = await aPackage({ subjectType: subject.type, subjectId: subject.id });
  expect(await verdictOf(again, '--pin', pin)).toBe('VERIFIED');
});

describe('vigia audit prune', () => {
  /** The built program, with the data of the test and the time of now. */
  const prune = async (...given: string[]): Promise<string[]> => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...fromSource('cli/main.ts'), 'audit', 'prune', '--client', client.clientId, ...given],
      { env: processEnv(t) },
    );
    return stdout.trim().split('\n');
  };

  it('says what is old enough, what stays and why, and deletes only when it is told to', async () => {
    const trail = oldTrail(2010, 3);
    const flawed = oldTrail(2010, 2);
    await write(trail, flawed);
    await behindItsBack(
      t,
      'audit_entries',
      'DELETE FROM audit_entries WHERE subject_id = $1 AND subject_seq = 2',
      [flawed[0]!.subject.id],
    );
    const said = await prune();
    expect(said).toEqual([
      expect.stringMatching(/^recorded before \d{4}-01-01T03:00:00.000Z: 1 trail with 3 entries$/),
      expect.stringMatching(/^kept because of a gap or a repair: (1 trail|2 trails)$/),
      'nothing was deleted: do it with --apply',
    ]);
    expect((await on(trail)).status).toBe('COMPLETE');
    expect(await prune('--apply')).toEqual([said[0], said[1], 'pruned; their leaf hashes stay']);
    await sealed();
    expect(await on(trail)).toMatchObject({ status: 'PRUNED', pruned: 3, gaps: [] });
    expect((await on(flawed)).status).toBe('MISSING_EVENTS');
    expect((await prune())[0]).toContain(': 0 trails with 0 entries');
    await expect(prune('--client', 'nobody')).rejects.toThrow('There is no client application nobody');
  });
});

describe('The database', () => {
  const prune = (type: string, id: string, before: string, entry: number): Promise<unknown> =>
    t.app
      .get(UnitOfWork)
      .run(organisationId, (tx) =>
        tx.query('SELECT audit_prune($1, $2, $3, $4, $5)', [organisationId, [type], [id], before, entry]),
      );

  it('lets nothing go that no entry of the same transaction names, nor anything young', async () => {
    const trail = oldTrail(2009, 1);
    await write(trail);
    const { id } = trail[0]!.subject;
    await expect(prune('dossier', id, '2010-01-01', 1)).rejects.toThrow('have to be kept');
    const named = (before: string): Promise<unknown> =>
      t.app.get(UnitOfWork).run(organisationId, async (tx) => {
        const step = auditDraftOf(ctx(), 'audit_log', organisationId, 'audit_log.pruned', new Date(), {
          leaves: [],
        });
        const [entry] = await t.app.get(AuditTrail).record(tx, [step]);
        await tx.query('SELECT audit_prune($1, $2, $3, $4, $5)', [
          ...[organisationId, ['dossier'], [id], before],
          entry?.position.seq,
        ]);
      });
    await expect(named(new Date().toISOString())).rejects.toThrow('have to be kept');
    await expect(named('2009-01-01')).rejects.toThrow('have to be kept');
    await expect(
      t.app
        .get(UnitOfWork)
        .run(organisationId, (tx) => tx.query(`DELETE FROM audit_entries WHERE subject_id = $1`, [id])),
    ).rejects.toThrow('permission denied');
    await expect(t.owner.query(`DELETE FROM audit_entries WHERE subject_id = $1`, [id])).rejects.toThrow(
      'append-only',
    );
    expect((await on(trail)).status).toBe('COMPLETE');
  });

  it('keeps what it noted about what was pruned', async () => {
    for (const statement of [
      'UPDATE audit_pruned SET through_seq = through_seq + 1',
      'DELETE FROM audit_pruned',
      'INSERT INTO audit_pruned SELECT * FROM audit_pruned',
    ]) {
      const asService = t.app.get(UnitOfWork).run(organisationId, (tx) => tx.query(statement));
      await expect(asService).rejects.toThrow('permission denied');
      await expect(t.owner.query(statement)).rejects.toThrow(/append-only|duplicate key/);
    }
  });

  it('is not believed about what the log does not name', async () => {
    const trail = oldTrail(2009, 2);
    await write(trail);
    const { id } = trail[0]!.subject;
    await behindItsBack(t, 'audit_entries', 'DELETE FROM audit_entries WHERE subject_id = $1', [id]);
    await t.owner.query(
      `INSERT INTO audit_pruned (organisation_id, subject_type, subject_id, through_seq, named_by)
       SELECT $1, 'dossier', $2, 2, max(named_by) FROM audit_pruned`,
      [organisationId, id],
    );
    const verdict = await on(trail);
    expect([verdict.status, isBlocking(verdict), verdict.pruned]).toEqual(['MISSING_EVENTS', true, 0]);
    expect(await verdictOf(await aPackage(), '--pin', pin)).toBe('INCOMPLETE');
  });
});

function edit(folder: string, name: string, change: (lines: string[]) => void): void {
  const file = path.join(folder, name);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  change(lines);
  writeFileSync(file, `${lines.join('\n')}\n`);
}
