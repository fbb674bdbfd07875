import { table } from '../../../platform/kernel/table.js';
import { access, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import type { Settings } from '../../../platform/config/index.js';
import {
  askedOfServer,
  noOrganisation,
  shownByServer,
  UnitOfWork,
} from '../../../platform/database/index.js';
import { Readiness } from '../../../platform/http/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { ListEntriesService } from '../../../features/screening/index.js';
import { MetricsRegistry } from '../../../platform/telemetry/index.js';
import { withServices } from '../../context.js';
import { findOrganisation } from '../../named.js';
import { finding, type DoctorFinding } from './finding.js';
import { checkOwnTargets, checkSetTargets } from './targets.js';

// Clocks that differ by more make logs of several hosts hard to compare. The service itself uses the database's clock.
const CLOCK_MS = 1_000;
const DISK_SHARE = 0.1;
const MAX_LISTS = 200;
const WAITS: Readonly<Record<string, number>> = table({
  vigia_outbox_oldest_seconds: 30,
  vigia_kyt_oldest_queued_seconds: 60,
  vigia_audit_oldest_waiting_seconds: 2,
});

/**
 * Runs the checks of an on-call engineer; returns the exit status. Settings, rights of the database role, pooler and Redis
 * Cluster are not among them: the service checks them at its start, and refuses to start with a reason.
 */
export async function runDoctor(organisation: string | undefined): Promise<number> {
  return withServices(async (services, settings) => {
    const findings = await runChecks(services, settings, organisation);
    for (const { what, verdict, says } of findings) {
      process.stdout.write(`${verdict.padEnd(5)} ${what}: ${says}\n`);
    }
    return findings.some(({ verdict }) => verdict === 'bad') ? 1 : 0;
  });
}

/** Returns the findings about a service that has started. */
export async function runChecks(
  services: INestApplicationContext,
  settings: Settings,
  organisation?: string,
): Promise<DoctorFinding[]> {
  return [
    finding('settings, role, pooler', true, 'the start accepted them'),
    ...(await checkReadiness(services)),
    ...(await checkServer(services)),
    checkClock(services),
    ...(await checkLags(services)),
    await checkAnchorFile(settings),
    await checkDisk(settings),
    ...(await checkSetTargets(services, settings)),
    ...(organisation === undefined ? [] : await checkOrganisation(services, settings, organisation)),
  ];
}

const RUNBOOKS: Readonly<Record<string, string>> = table({
  database: 'VigiaDatabaseAway',
  'database-read-only': 'VigiaDatabaseAway',
  'database-session': 'VigiaDatabaseAway',
  redis: 'VigiaOutbox',
  'redis-cluster': 'VigiaOutbox',
  'redis-refuses-writes': 'VigiaOutbox',
  outbox: 'VigiaOutbox',
  audit: 'VigiaTrailGap',
});

/** Returns the page that says what to do about a reason of readiness. */
export const pageOf = (reason: string): string =>
  reason in RUNBOOKS ? `docs/runbooks/${RUNBOOKS[reason]}.md` : 'docs/production.md';

async function checkReadiness(services: INestApplicationContext): Promise<DoctorFinding[]> {
  const { degraded, unavailable } = await services.get(Readiness).check();
  const reasons = new Set([...degraded, ...unavailable]);
  const findings = [...reasons].map((reason) => finding(reason, false, `see ${pageOf(reason)}`));
  return findings.length > 0
    ? findings
    : [finding('database and queue', true, 'there, migrated, take writes')];
}

/** Returns who a connection acts as and its limits, and what the server or its database lacks. */
async function checkServer(services: INestApplicationContext): Promise<DoctorFinding[]> {
  const uow = services.get(UnitOfWork);
  const { role, session, otherwise, isByCodePoint } = await uow.read(noOrganisation, shownByServer);
  const limits = Object.entries(session).map(([name, value]) => `${name} ${value}`);
  const missingSettings = [
    ...Object.entries(otherwise).map(([name, value]) => [
      name,
      `${value}, and not ${askedOfServer[name]?.[0]}`,
    ]),
    ...(isByCodePoint ? [] : [['order of text', 'that of a language, and not by code point']]),
  ].map(([name, says]) => finding(`PostgreSQL: ${name}`, false, `${says}: see docs/production.md`, 'look'));
  return [
    finding('database session', true, `acts as ${role}; ${limits.join(', ')}`),
    ...(missingSettings.length > 0
      ? missingSettings
      : [finding('PostgreSQL', true, 'has what docs/production.md asks for')]),
  ];
}

function checkClock(services: INestApplicationContext): DoctorFinding {
  const offMs = Math.abs(services.get(Clock).now() - Date.now());
  return finding('clock', offMs < CLOCK_MS, `${offMs} ms off the clock of the database`, 'look');
}

async function checkLags(services: INestApplicationContext): Promise<DoctorFinding[]> {
  const metrics = await services.get(MetricsRegistry).registry.getMetricsAsJSON();
  return Object.entries(WAITS).map(([name, most]) => {
    const value = metrics.find((metric) => metric.name === name)?.values[0]?.value;
    if (value === undefined) return finding(name, false, 'not known', 'look');
    return finding(name, value <= most, `${Math.round(value)} s, at most ${most}`);
  });
}

async function checkAnchorFile(settings: Settings): Promise<DoctorFinding> {
  const file = settings.auditAnchorFile ?? path.join(settings.dataDir, 'audit', 'anchors.jsonl');
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  const says = isThere ? 'checkpoints leave the database' : 'no file yet: a worker writes it on its own disk';
  return finding('anchor file', isThere, says, 'look');
}

async function checkDisk(settings: Settings): Promise<DoctorFinding> {
  const { bavail, blocks } = await statfs(settings.dataDir).catch(() => ({ bavail: 0, blocks: 0 }));
  if (blocks === 0) return finding('disk of DATA_DIR', false, 'not there yet', 'look');
  const share = bavail / blocks;
  return finding('disk of DATA_DIR', share > DISK_SHARE, `${Math.round(100 * share)} % free`);
}

async function checkOrganisation(
  services: INestApplicationContext,
  settings: Settings,
  organisation: string,
): Promise<DoctorFinding[]> {
  const organisationId = await findOrganisation(services, organisation);
  return [
    ...(await checkLists(services, organisationId)),
    ...(await checkOwnTargets(services, settings, organisationId)),
  ];
}

async function checkLists(
  services: INestApplicationContext,
  organisationId: string,
): Promise<DoctorFinding[]> {
  const lists = await services.get(ListEntriesService).page(organisationId, null, MAX_LISTS);
  return (['SANCTIONS', 'PEP'] as const).map((kind) => {
    const count = lists.filter((list) => list.kind === kind).length;
    return finding(
      `lists of kind ${kind}`,
      count > 0,
      count > 0 ? String(count) : 'none: nobody is screened for it',
    );
  });
}
