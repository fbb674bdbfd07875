import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { systemActor } from '../../features/audit/index.js';
import { countOf, invalid } from '../../platform/kernel/index.js';
import {
  type ListFormat,
  listFormats,
  ListImporterService,
  type ListKind,
  listKinds,
  ScreeningListsService,
  type SnapshotRow,
} from '../../features/screening/index.js';
import { withServices } from '../context.js';
import { findOrganisation } from '../named.js';
import { ProgressBar } from '../progress-bar.js';

export interface ImportCommandOptions {
  readonly organisation: string;
  readonly list: string;
  readonly format: string;
  readonly kind: string;
  readonly name?: string;
  readonly aliases?: string;
  readonly preview?: boolean;
  readonly yes?: boolean;
}

/** Imports a file as the next snapshot of a list; creates the list if it does not exist. */
export async function importList(file: string, options: ImportCommandOptions): Promise<number> {
  const format = oneOf<ListFormat>(listFormats, options.format, 'format');
  const kind = oneOf<ListKind>(listKinds, options.kind, 'kind');
  // Checks the file before it creates the list, so that a misspelt name leaves no empty list behind.
  const bytesTotal = (await stat(file)).size + (options.aliases ? (await stat(options.aliases)).size : 0);
  return withServices(async (services) => {
    const organisationId = await findOrganisation(services, options.organisation);
    const ctx = systemActor(organisationId, 'cli');
    const list = await services.get(ScreeningListsService).findOrCreate(ctx, {
      key: options.list,
      name: options.name ?? options.list,
      kind,
      format,
    });
    if (list.format !== format) throw new Error(`The list ${list.key} is read as ${list.format}.`);
    const importer = services.get(ListImporterService);
    const startedImport = await importer.startImport(ctx, list, bytesTotal);
    const bar = new ProgressBar(bytesTotal);
    const source = {
      main: createReadStream(file),
      ...(options.aliases ? { aliases: createReadStream(options.aliases) } : {}),
      bytesTotal,
    };
    const snapshot = await importer.runImport(ctx, list, startedImport.id, source, {
      confirmation: options.preview === true ? 'ALWAYS' : options.yes === true ? 'NEVER' : 'ON_SHRINK',
      onProgress: (bytesRead, entries) => {
        bar.show(bytesRead, `${entries.toLocaleString('en-US')} entries`);
      },
    });
    bar.end();
    printReport(snapshot);
    if (snapshot.status === 'AWAITING_CONFIRMATION') {
      await importer.reject(ctx, list, snapshot.id);
      process.stdout.write('nothing was changed; import again with --yes to publish it all the same\n');
      return options.preview === true ? 0 : 2;
    }
    return snapshot.status === 'FAILED' ? 1 : 0;
  });
}

const PLACES_SHOWN = 20;

function printReport(snapshot: SnapshotRow): void {
  const lines = [
    `${snapshot.status}${snapshot.reason === null ? '' : ` (${snapshot.reason})`}`,
    `${countOf(snapshot.entries, 'entry', 'entries')} with ${countOf(snapshot.names, 'name', 'names')}; ${snapshot.added ?? 0} added, ${snapshot.changed ?? 0} changed, ` +
      `${snapshot.removed ?? 0} removed, ${snapshot.unchanged ?? 0} unchanged`,
    `SHA-256 ${snapshot.sha256 ?? '-'}`,
    `${countOf(snapshot.lines, 'line', 'lines')}, ${snapshot.linesMerged} of them merged with others`,
    ...describePlaces(snapshot.linesBroken, 'lines were not read:', snapshot.broken),
    ...describePlaces(snapshot.fieldsDropped, 'fields were not read:', snapshot.dropped),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Describes the unreadable records or fields of a file: their number, and the positions of some. */
const describePlaces = (count: number, what: string, some: SnapshotRow['broken']): string[] =>
  count === 0
    ? []
    : [
        `${count} ${what}`,
        ...some
          .slice(0, PLACES_SHOWN)
          .map(
            ({ line, column, problem }) =>
              `  line ${line}${column === null ? '' : `, ${column}`}: ${problem}`,
          ),
        ...(count > PLACES_SHOWN ? [`  and ${count - PLACES_SHOWN} more`] : []),
      ];

function oneOf<T extends string>(known: readonly T[], given: string, what: string): T {
  const knownOption = known.find((word) => word === given);
  if (knownOption === undefined) {
    throw invalid(what, 'UNKNOWN', `Must be one of ${known.join(', ')}.`);
  }
  return knownOption;
}
