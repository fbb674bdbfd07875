import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { TestApi, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, CPF, DICT, without } from '../support/builders.js';
import { withLists } from '../support/lists.js';

let t: TestApp;
let api: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  const client = await t.client();
  api = t.api.as(client);
  await withLists(t, client.organisationId);
  await t.app.get(RulesetsService).publish(client.organisationId, brStarter, 'test');
});

afterAll(async () => {
  await t.close();
});

async function evaluated(fields: Record<string, unknown> = {}): Promise<TransactionAnswer> {
  const body = aTransaction(fields);
  await api.ingest(body).expect(202);
  return api.settled(body.transactionId);
}

const device = { deviceId: 'device-1', deviceRegistered: true, ipAddress: '203.0.113.7', dict: DICT };
const undeclared = without(device, 'deviceRegistered');
const review = {
  ...{ verdict: 'HOLD', outcome: 'REVIEW', recommendedAction: 'HOLD', nextAction: null },
  ...{ defensible: false, reviewRequired: true },
};

describe('What was not looked at costs the defence', () => {
  it('a complete transaction is approved and defensible', async () => {
    expect(await evaluated()).toMatchObject({
      verdict: 'RELEASE',
      outcome: 'APPROVED',
      defensible: true,
      composition: 'COMPLETE',
      warnings: [],
    });
  });

  it('PIX instead of PIX_TRANSFER, BRL 900, from a device that is not registered', async () => {
    expect(
      await evaluated({ type: 'PIX', amount: 900, metadata: { ...device, deviceRegistered: false } }),
    ).toMatchObject({
      ...review,
      composition: 'PARTIAL',
      nonDefensibleReasons: ['RULES_PARTIAL', 'UNKNOWN_TYPE'],
      components: { RULES: { state: 'PARTIAL', reason: 'UNKNOWN_TYPE' } },
    });
  });

  it('an unknown type, BRL 9,500 at two in the night, new device and payee', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    expect(
      await evaluated({ type: 'WIRE', amount: 9_500, occurredAt: `${yesterday}T02:00:00-03:00` }),
    ).toMatchObject({ ...review, nonDefensibleReasons: ['RULES_PARTIAL', 'UNKNOWN_TYPE'] });
  });

  it.each([
    [
      'snake case',
      { device_id: 'device-1', ip_address: '203.0.113.7', dict: DICT },
      ['deviceId', 'ipAddress'],
    ],
    ['snake case beside the device', { ...undeclared, device_registered: true }, ['deviceRegistered']],
    ['a letter missing', { ...undeclared, deviceRegistred: true }, ['deviceRegistered']],
    ['another case', { ...device, Declines: 3 }, ['declines']],
    ['the text "false"', { ...device, deviceRegistered: 'false' }, ['deviceRegistered']],
    ['a number as text', { ...device, declines: '3' }, ['declines']],
    [
      'a misspelt member of an object',
      { ...device, wallet: { owner_verified: true } },
      ['wallet.ownerVerified'],
    ],
    ['no object', { ...device, dict: 'none' }, ['dict']],
    [
      'statistics of nothing that DICT knows',
      { ...device, dict: { statistics: { key: DICT.statistics.KEY } } },
      ['dict.statistics.KEY'],
    ],
  ])('metadata that is meant for the rules: %s', async (_, metadata, ignored) => {
    const result = await evaluated({ metadata });
    expect(result).toMatchObject({
      ...review,
      warnings: ['METADATA_IGNORED'],
      nonDefensibleReasons: expect.arrayContaining(['METADATA_IGNORED']),
      components: { RULES: { state: 'PARTIAL', reason: `METADATA_IGNORED:${ignored.join('+')}` } },
    });
  });

  it('metadata of the sender’s own is nobody’s business', async () => {
    const metadata = { ...device, device_name: 'x', orderId: '1', Device_Id: 'again', nothing: null };
    expect(await evaluated({ metadata })).toMatchObject({ outcome: 'APPROVED', warnings: [] });
  });

  it('no device at all: PIX needs one, a branch does not', async () => {
    expect(await evaluated({ metadata: { dict: DICT } })).toMatchObject({
      ...review,
      nonDefensibleReasons: expect.arrayContaining(['DEVICE_IP_MISSING_INPUT']),
    });
    expect(await evaluated({ metadata: { dict: DICT }, channel: 'BRANCH' })).toMatchObject({
      outcome: 'APPROVED',
      defensible: true,
      exempt: ['DEVICE_IP'],
      notEvaluated: [],
    });
  });

  it('a device of which nobody says whether it is registered, above the limit, although it was used before', async () => {
    await evaluated({ amount: 900 });
    expect(await evaluated({ amount: 900, metadata: undeclared })).toMatchObject({
      ...review,
      nonDefensibleReasons: ['RULES_PARTIAL'],
      notEvaluated: [{ ruleId: 'BR-PIX-16', missing: ['device.registered'] }],
    });
  });

  it.each([
    ['a payee without a document', { cpfCnpj: undefined }, 'LISTS', 'COUNTERPARTY_WITHOUT_DOCUMENT'],
    ['a payee without a country', { country: undefined }, 'RULES', 'BR-GEO-21:SATURATED'],
  ])('%s', async (_, fields, component, reason) => {
    const destination = { name: 'João Exemplo', cpfCnpj: CPF.payee, accountReference: '0001-77' };
    expect(await evaluated({ destination: { ...destination, country: 'BR', ...fields } })).toMatchObject({
      ...review,
      nonDefensibleReasons: [`${component}_PARTIAL`],
      components: { [component]: { state: 'PARTIAL', reason } },
    });
  });

  it('abroad nobody has a CPF', async () => {
    const destination = { name: 'John Example', accountReference: 'PT50-77', country: 'PT' };
    expect(await evaluated({ destination })).toMatchObject({ components: { LISTS: { state: 'NO_HIT' } } });
  });

  it('a card purchase of which nobody says how often the card was declined', async () => {
    const purchase = { type: 'CARD_PURCHASE', channel: 'POS' };
    expect(await evaluated({ ...purchase, metadata: { declines: 0 } })).toMatchObject({
      outcome: 'APPROVED',
      defensible: true,
    });
    expect(await evaluated({ ...purchase, metadata: {} })).toMatchObject({
      ...review,
      notEvaluated: [{ ruleId: 'BR-CARD-24', missing: ['card.declines10m'] }],
    });
  });

  it('a payee without name: nobody was compared with the lists', async () => {
    expect(await evaluated({ destination: { accountReference: '0001-77', country: 'BR' } })).toMatchObject({
      ...review,
      nonDefensibleReasons: ['LISTS_PARTIAL'],
      components: { LISTS: { state: 'PARTIAL', reason: 'COUNTERPARTY_NOT_NAMED' } },
    });
  });

  it.each([' ', '.', 'N/A', 'NAO INFORMADO', 'Sin nombre', 'null null', '\u200b', '\u3164'])(
    'a payee named %j is as one without a name',
    async (name) => {
      const destination = { accountReference: '0001-77', country: 'BR', name };
      expect(await evaluated({ destination })).toMatchObject({
        ...review,
        composition: 'PARTIAL',
        warnings: ['PLACEHOLDER_IGNORED'],
        nonDefensibleReasons: ['LISTS_PARTIAL'],
        components: { LISTS: { state: 'PARTIAL', reason: 'COUNTERPARTY_NOT_NAMED' } },
      });
    },
  );

  it.each([
    ['a customer', { externalCustomerId: 'nameless', origin: { name: 'N/A' } }, 'CUSTOMER_NOT_NAMED'],
    [
      'an owner',
      {
        destination: {
          ...{ name: 'Loja Exemplo', cpfCnpj: '11.222.333/0001-81', accountReference: '1', country: 'BR' },
          people: [{ role: 'OWNER', name: 'Desconhecido' }],
        },
      },
      'NAME_NOT_COMPARED',
    ],
  ])('%s whose name is a placeholder was not compared', async (_, fields, reason) => {
    expect(await evaluated({ cpfCnpj: undefined, ...fields })).toMatchObject({
      ...{ verdict: 'HOLD', warnings: ['PLACEHOLDER_IGNORED'] },
      components: { LISTS: { state: 'PARTIAL', reason } },
    });
  });

  it('a payee whose name is initials alone: there is no word to compare', async () => {
    const destination = { name: 'J. C.', cpfCnpj: CPF.payee, accountReference: '0001-77', country: 'BR' };
    expect(await evaluated({ destination })).toMatchObject({
      ...{ ...review, warnings: [] },
      components: { LISTS: { state: 'PARTIAL', reason: 'NAME_NOT_COMPARED' } },
    });
  });

  it.each(['Na Hye-sok', 'Jennifer Null', 'Li'])('a payee named %j is somebody', async (name) => {
    const destination = { name, cpfCnpj: CPF.payee, accountReference: '0001-77', country: 'BR' };
    expect(await evaluated({ destination })).toMatchObject({ verdict: 'RELEASE', warnings: [] });
  });

  it.each(['   ', '\u200b', 'N/A', 'null'])(
    'an externalCustomerId %j is no id',
    async (externalCustomerId) => {
      const unknown = { origin: {}, cpfCnpj: undefined };
      const left = await evaluated({ ...unknown, externalCustomerId: undefined });
      const blank = await evaluated({ ...unknown, externalCustomerId });
      expect(blank).toMatchObject({
        ...{ verdict: 'HOLD', composition: 'PARTIAL', nonDefensibleReasons: left.nonDefensibleReasons },
        warnings: ['PLACEHOLDER_IGNORED'],
      });
      expect(blank.components!['IDENTITY']).toMatchObject({ reason: 'NO_CUSTOMER_ID_AND_NO_DOCUMENT' });
    },
  );

  it('PIX needs the statistics of DICT, and what was sent of them must be readable', async () => {
    const unasked = without(device, 'dict');
    expect(await evaluated({ metadata: unasked })).toMatchObject({
      ...review,
      nonDefensibleReasons: ['RULES_PARTIAL', 'DICT_MISSING_INPUT'],
      notEvaluated: [{ ruleId: 'BR-PIX-05', missing: ['dict.confirmedFrauds30d', 'dict.reportedFrauds30d'] }],
    });
    expect(await evaluated({ metadata: unasked, type: 'PIX_REFUND', amount: 12 })).toMatchObject({
      outcome: 'APPROVED',
      defensible: true,
    });
    const dict = { statistics: { KEY: { CONFIRMED_FRAUD: { d30: 4 }, REPORTED_FRAUDS: { d30: 0 } } } };
    expect(await evaluated({ metadata: { ...device, dict } })).toMatchObject({
      ...review,
      nonDefensibleReasons: ['RULES_PARTIAL', 'DICT_ERROR'],
      components: { RULES: { reason: 'BR-PIX-05:DICT_MALFORMED' }, DICT: { state: 'ERROR' } },
    });
  });
});
