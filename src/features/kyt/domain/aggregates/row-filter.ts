import {
  FactSheet,
  type Feature,
  type CustomFieldFeature,
  type RowColumn,
  type RowFilter,
} from '../../../rules/index.js';
import { AMOUNT_SCALE, currencyCode, VelocityLog, type LogKey } from '../facts/velocity-log.js';
import { transactionType } from '../../../../platform/kernel/reference/transaction-types.js';
import { outcomeAt } from './row-details.js';
import type { WindowRow, WindowRows } from './window-rows.js';

/** 0: the row does not count; 1: the row counts; 2: unknown, because a value is missing. */
export type FilterResult = 0 | 1 | 2;

type Fill = (sheet: FactSheet, slot: number, row: WindowRow, rows: WindowRows) => void;

const setText = (
  sheet: FactSheet,
  slot: number,
  value: string | undefined,
  missing = value === undefined,
): void => {
  sheet.texts[slot] = value;
  sheet.missing[slot] = missing ? 1 : 0;
};

/** Sets a number of a row. NaN counts as MISSING: a row lacks a number only if none was sent. */
const setNumber = (sheet: FactSheet, slot: number, value: number): void => {
  sheet.numbers[slot] = value;
  sheet.missing[slot] = Number.isNaN(value) ? 1 : 0;
};

const setTruth = (sheet: FactSheet, slot: number, value: boolean | null): void => {
  sheet.bools[slot] = value === null ? 2 : value ? 1 : 0;
  sheet.missing[slot] = value === null ? 1 : 0;
};

const fillCountry =
  (side: 'origin' | 'destination'): Fill =>
  (sheet, slot, { log, i }) => {
    const code = log.countryOf(side, i);
    // In rows that are older than the country columns it is unknown whether a country was sent.
    const isUnknown = code === VelocityLog.UNKNOWN_COUNTRY;
    setText(sheet, slot, isUnknown || code === '' ? undefined : code, !isUnknown && code === '');
  };

const fillSameKey =
  (key: LogKey): Fill =>
  (sheet, slot, { log, i }, { current }) => {
    const entryCount = current.keys[key];
    setTruth(sheet, slot, entryCount === 0 ? null : log.keyOf(key, i) === entryCount);
  };

const instrumentOf = (type: string): string => transactionType(type)?.instrument ?? 'OTHER';

const amountOf = ({ log, i }: Pick<WindowRow, 'log' | 'i'>): number => (log.amounts[i] ?? NaN) / AMOUNT_SCALE;

const FILLS: Readonly<Record<RowColumn, Fill>> = {
  type: (sheet, slot, { log, i }) => {
    setText(sheet, slot, log.typeOf(i));
  },
  instrument: (sheet, slot, { log, i }) => {
    setText(sheet, slot, instrumentOf(log.typeOf(i)));
  },
  cash: (sheet, slot, { log, i }) => {
    setTruth(sheet, slot, log.isCash(i));
  },
  channel: (sheet, slot, { log, i }) => {
    setText(sheet, slot, log.channelOf(i));
  },
  currency: (sheet, slot, { log, i }) => {
    setText(sheet, slot, currencyCode(log.currencyNumber(i)));
  },
  amount: (sheet, slot, row) => {
    setNumber(sheet, slot, amountOf(row));
  },
  amountBrl: (sheet, slot, row, rows) => {
    setNumber(sheet, slot, rows.brlOf(row));
  },
  occurredAt: (sheet, slot, { log, i }) => {
    setNumber(sheet, slot, (log.times[i] ?? NaN) / 1_000);
  },
  direction: (sheet, slot, { log, i }) => {
    setText(sheet, slot, log.directionAt(i) ?? undefined);
  },
  'origin.country': fillCountry('origin'),
  'destination.country': fillCountry('destination'),
  // A counterparty with a full document has the key of that document, so that an own account is told by it.
  ownAccount: (sheet, slot, { log, i }, { current: { keys } }) => {
    setTruth(sheet, slot, keys.document === 0 ? null : log.peers[i] === keys.document);
  },
  outcome: (sheet, slot, { log, i, isCurrent }, { current, details }) => {
    setText(sheet, slot, isCurrent ? 'PENDING' : outcomeAt(details, log.seqs[i] ?? 0, current.asOf));
  },
  'same.customer': (sheet, slot, { log, i }, rows) => {
    const isKnown = rows.current.keys.customer !== 0;
    setTruth(sheet, slot, isKnown ? rows.isOwnCustomer(log.customers[i] ?? 0) : null);
  },
  'same.counterparty': (sheet, slot, { log, i }, { current: { keys } }) => {
    setTruth(sheet, slot, keys.counterparty === 0 ? null : log.peers[i] === keys.counterparty);
  },
  'same.account': fillSameKey('account'),
  'same.device': fillSameKey('device'),
  'same.ip': fillSameKey('ip'),
  'same.card': fillSameKey('card'),
  'now.type': (sheet, slot, _, { current: { own } }) => {
    setText(sheet, slot, own.typeOf(0));
  },
  'now.channel': (sheet, slot, _, { current: { own } }) => {
    setText(sheet, slot, own.channelOf(0));
  },
  'now.currency': (sheet, slot, _, { current: { own } }) => {
    setText(sheet, slot, currencyCode(own.currencyNumber(0)));
  },
  'now.amount': (sheet, slot, _, { current: { own } }) => {
    setNumber(sheet, slot, amountOf({ log: own, i: 0 }));
  },
  'now.amountBrl': (sheet, slot, _, { current }) => {
    setNumber(sheet, slot, current.amountBrl ?? NaN);
  },
  'now.occurredAt': (sheet, slot, _, { now }) => {
    setNumber(sheet, slot, now / 1_000);
  },
  'now.direction': (sheet, slot, _, { current: { own } }) => {
    setText(sheet, slot, own.directionAt(0) ?? undefined);
  },
};

interface Column {
  readonly slot: number;
  readonly fill: Fill;
}

interface Prepared {
  readonly sheet: FactSheet;
  /** Columns that are equal for all rows, such as the values of the evaluated transaction. */
  readonly constant: readonly Column[];
  readonly changing: readonly Column[];
}

// Filters run row by row and never nest, so each reuses one sheet.
const preparations = new WeakMap<RowFilter, Prepared>();

function prepare(filter: RowFilter): Prepared {
  let cachedPreparation = preparations.get(filter);
  if (!cachedPreparation) {
    const columns = filter.columns.map((feature) => ({ slot: feature.slot, fill: fillOf(feature), feature }));
    cachedPreparation = {
      sheet: new FactSheet(filter.schema),
      constant: columns.filter(({ feature }) => feature.name.startsWith('now.')),
      changing: columns.filter(({ feature }) => !feature.name.startsWith('now.')),
    };
    preparations.set(filter, cachedPreparation);
  }
  return cachedPreparation;
}

function fillOf(feature: Feature): Fill {
  if (!feature.declared) return FILLS[feature.name as RowColumn];
  const { field } = feature.declared as CustomFieldFeature;
  return (sheet, _, row, rows) => {
    const value = rows.customFieldValue(row, field.number);
    if (value === undefined) sheet.setUnknownAt(feature, NOT_SENT);
    else sheet.setAt(feature, value);
  };
}

const NOT_SENT = { state: 'MISSING', reason: 'NOT_SENT' } as const;

/** Returns the function that decides whether a row counts. */
export function compileRowFilter(
  filter: RowFilter | null,
  rows: WindowRows,
): (row: WindowRow) => FilterResult {
  if (!filter) return () => 1;
  const { sheet, constant, changing } = prepare(filter);
  const decisions = rows.decisionsOf(filter.identity);
  let isBegun = false;
  return (row) => {
    const place = rows.placeOf(row);
    const decided = decisions[place] ?? 0;
    if (decided !== 0) return (decided - 1) as FilterResult;
    if (!isBegun) for (const { slot, fill } of constant) fill(sheet, slot, row, rows);
    isBegun = true;
    for (const { slot, fill } of changing) fill(sheet, slot, row, rows);
    const result = filter.condition(sheet);
    decisions[place] = result + 1;
    return result;
  };
}
