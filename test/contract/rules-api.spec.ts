import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../support/api.js';
import { detailsOf, expectError, type Answer } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aRule, mandatoryRules, rulesetBasics } from '../support/rulesets.js';

let t: TestApp;
/** A compliance officer and a developer of one organisation. */
let officer: TestApi;
let developer: TestApi;
let stranger: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  const ana = await t.operator({ roles: ['COMPLIANCE_OFFICER'] });
  officer = t.api.asOperator(ana);
  developer = t.api.asOperator(
    await t.operator({ roles: ['DEVELOPER'], organisationId: ana.organisationId }),
  );
  stranger = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'] }));
});

afterAll(async () => {
  await t.close();
});

const dataOf = (answer: Answer): Record<string, unknown> =>
  (answer.body as { data: Record<string, unknown> }).data;

async function released(key: string, fields: Record<string, unknown> = {}): Promise<void> {
  await officer.post('/operator/rules').send(aRule(key, fields)).expect(200);
  await officer.post(`/operator/rules/${key}/versions`).send({}).expect(200);
}

describe('rules/check', () => {
  const check = (body: object): ReturnType<TestApi['post']> =>
    officer.post('/operator/rules/check').send(body);

  it('says what a condition reads and what it costs', async () => {
    const answer = await check({ when: 'outgoing.sum24h > 50000 && amountBrl >= 100' }).expect(200);
    expect(dataOf(answer)).toEqual({
      ok: true,
      details: [],
      remarks: [],
      features: ['amountBrl', 'outgoing.sum24h'],
      lists: [],
      cost: expect.any(Number),
      when: 'outgoing.sum24h > 50000 && amountBrl >= 100',
      condition: {
        all: [
          { path: 'outgoing.sum24h', op: '>', value: 50_000 },
          { path: 'amountBrl', op: '>=', value: 100 },
        ],
      },
      words: {
        'pt-BR':
          'o total de saídas em 24 horas é maior que R$ 50.000,00 e o valor em reais é pelo menos R$ 100,00',
        en: 'the outgoing sum of 24 hours is more than BRL 50,000.00 and the amount in reais is at least BRL 100.00',
      },
    });
  });

  it('remarks on what runs and hardly means what it says, with its place', async () => {
    const when =
      'destination.name.contains("") || currency == "REAL" || occurredAt.localHour("America/Sao_Paulo") > 24';
    const { ok, remarks } = dataOf(await check({ when }).expect(200));
    expect([ok, remarks]).toEqual([
      true,
      [
        expect.objectContaining({ path: 'when', code: 'ALWAYS_TRUE' }),
        expect.objectContaining({ code: 'UNKNOWN_VALUE', found: 'REAL', position: expect.anything() }),
        expect.objectContaining({ code: 'NEVER_TRUE' }),
      ],
    ]);
    const rule = aRule('REMARK-1', {
      when: 'amountBrl < 0',
      appliesTo: { types: ['PIX_TRANFER'], channels: ['*'], currencies: ['REAL'], directions: ['IN', 'OUT'] },
    });
    const ofRule = dataOf(await check({ rule }).expect(200));
    expect(ofRule).toMatchObject({
      ok: true,
      remarks: [
        { path: 'when', code: 'NEVER_TRUE' },
        { path: 'appliesTo.types[0]', code: 'UNKNOWN_VALUE', suggestion: 'PIX_TRANSFER' },
        { path: 'appliesTo.currencies[0]', code: 'UNKNOWN_VALUE' },
      ],
    });
  });

  it('refuses a list that there is not; a rule that asks it is drafted, and not released', async () => {
    const when = `list('nao-existe').has(destination.name)`;
    const fault = [expect.objectContaining({ code: 'UNKNOWN_LIST', found: 'nao-existe' })];
    expect(dataOf(await check({ when }).expect(200))).toMatchObject({ ok: false, details: fault });
    const rule = aRule('LIST-1', { when, lists: ['nao-existe'] });
    expect(dataOf(await check({ rule }).expect(200))).toMatchObject({ ok: false, details: fault });
    await officer.post('/operator/rules').send(rule).expect(200);
    const path = '/operator/rules/LIST-1/versions';
    const refused = await officer.post(path).send({});
    expect(detailsOf(expectError(refused, 400, 'VALIDATION_FAILED'))).toEqual(['when UNKNOWN_LIST']);

    const list = { key: 'nao-existe', name: 'Casa', kind: 'WATCH', format: 'HOUSE_CSV' };
    await officer.post('/operator/lists').send(list).expect(201);
    expect(dataOf(await check({ when }).expect(200))).toMatchObject({ ok: true, lists: ['nao-existe'] });
    await officer.post(path).send({}).expect(200);
  });

  it('takes the condition from a builder, and says where that is wrong', async () => {
    const condition = { not: { path: 'countries', op: 'has' } };
    const answer = await check({ condition }).expect(200);
    expect(dataOf(answer)).toMatchObject({ ok: true, when: '!has(countries)', condition });
    const faulty = await check({ condition: { all: [{ path: 'amountBrl', op: '~', value: 1 }] } }).expect(
      200,
    );
    expect(dataOf(faulty)).toMatchObject({
      ok: false,
      details: [{ path: 'condition/all/0/op', code: 'DEFINITION_INVALID' }],
    });
    await check({ condition: [] }).expect(400);
    await check({}).expect(400);
  });

  it.each([
    [
      'an unknown field',
      'amountBrl > 5 && outgoing.sum24 > 50000',
      'UNKNOWN_FIELD',
      17,
      { suggestion: 'outgoing.sum24h' },
    ],
    ['a wrong type', 'channel > 5', 'WRONG_TYPE', undefined, {}],
    [
      'a nested quantifier',
      'outgoing.amounts24h.exists(a, outgoing.amounts24h.exists(b, a > b))',
      'NESTED_QUANTIFIER',
      undefined,
      {},
    ],
    [
      'too much work',
      Array(30).fill('outgoing.amounts24h.exists(a, a > 1)').join(' || '),
      'TOO_EXPENSIVE',
      undefined,
      {},
    ],
    ['an unknown function', 'amountBrl.raund(100)', 'UNKNOWN_FUNCTION', undefined, {}],
    ['broken syntax', 'amountBrl > (5', 'SYNTAX', undefined, {}],
  ])('%s is found with its position', async (_what, when, code, start, hints) => {
    const { ok, details } = dataOf(await check({ when }).expect(200)) as {
      ok: boolean;
      details: { code: string; position: { start: number; line: number; column: number } }[];
    };
    expect(ok).toBe(false);
    expect(details[0]).toMatchObject({ path: 'when', code, ...hints });
    expect(details[0]?.position).toMatchObject({ line: 1, column: (details[0]?.position.start ?? -1) + 1 });
    if (start !== undefined) expect(details[0]?.position.start).toBe(start);
  });

  it.each([
    `constructor.constructor('return process')()`,
    `this.constructor.constructor("return process.exit(1)")()`,
    '__proto__.polluted == 1',
    'amount.constructor("x")',
    'process.env.SECRET == "x"',
    '`${process}` == "x"',
    'globalThis.fetch("http://x") == 1',
    'eval("1") == 1',
    '/(a+)+$/.test("aaaa")',
  ])('%s is refused and never evaluated', async (when) => {
    expect(dataOf(await check({ when }).expect(200))).toMatchObject({ ok: false });
  });

  it('a whole rule is checked with all its texts', async () => {
    const rule = aRule('T-1', { message: { 'pt-BR': '{amout}', en: '{amount}' }, cooldown: 'tomorrow' });
    const { ok, details } = dataOf(await check({ rule }).expect(200)) as { ok: boolean; details: object[] };
    expect(ok).toBe(false);
    expect(details.map((detail) => (detail as { path: string }).path).sort()).toEqual([
      'cooldown',
      'message.pt-BR',
    ]);
  });
});

describe('The library of rules', () => {
  it('a draft is written over until it is released; a released version never changes', async () => {
    await officer.post('/operator/rules').send(aRule('LIB-1')).expect(200);
    const second = await officer
      .post('/operator/rules')
      .send(aRule('LIB-1', { when: 'amount >= 1' }))
      .expect(200);
    expect(dataOf(second)).toMatchObject({ version: 1, status: 'DRAFT', revision: 2 });
    await officer.post('/operator/rules/LIB-1/versions').send({}).expect(200);
    const third = await officer
      .post('/operator/rules')
      .send(aRule('LIB-1', { when: 'amount >= 2' }))
      .expect(200);
    expect(dataOf(third)).toMatchObject({ version: 2, status: 'DRAFT', revision: 1 });
    const first = await officer.get('/operator/rules/LIB-1/versions/1').expect(200);
    expect(dataOf(first)).toMatchObject({ status: 'RELEASED', definition: { when: 'amount >= 1' } });
    await expect(
      t.owner.query(
        `UPDATE rules SET content = content || '{"when":"true"}' WHERE key = 'LIB-1' AND version = 1`,
      ),
    ).rejects.toThrow('never changed');
  });

  it('two authors do not overwrite each other unseen', async () => {
    await officer
      .post('/operator/rules')
      .send(aRule('LIB-2', { revision: 0 }))
      .expect(200);
    await officer
      .post('/operator/rules')
      .send(aRule('LIB-2', { revision: 1 }))
      .expect(200);
    const refused = await officer.post('/operator/rules').send(aRule('LIB-2', { revision: 1 }));
    expect(detailsOf(expectError(refused, 409, 'STATE_CONFLICT'))).toEqual(['revision OUTDATED']);
  });

  it('a rule with a fault can be drafted and not released: 400 with position and suggestion', async () => {
    await officer
      .post('/operator/rules')
      .send(aRule('LIB-3', { when: 'outgoing.sum24 > 1' }))
      .expect(200);
    const refused = await officer.post('/operator/rules/LIB-3/versions').send({});
    expect(refused.status).toBe(400);
    expect((refused.body as { error: object }).error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [
        {
          path: 'when',
          code: 'UNKNOWN_FIELD',
          position: { start: 0, end: 14, line: 1, column: 1 },
          suggestion: 'outgoing.sum24h',
        },
      ],
    });
  });

  it.each([
    ['an unknown member', { mood: 'good' }, 'mood UNKNOWN_FIELD'],
    ['a key in small letters', { key: 'lib-4' }, 'key PATTERN_MISMATCH'],
    ['points beyond 100', { score: { points: 101, group: 'A' } }, 'score.points TOO_LARGE'],
    ['an action that does not exist', { actions: [{ type: 'SEND_MONEY' }] }, 'actions VALUE_NOT_ALLOWED'],
    ['a parameter without a label', { parameters: { x: { value: 1 } } }, 'parameters VALUE_NOT_ALLOWED'],
  ])('%s is a form that is refused', async (_what, fields, detail) => {
    const refused = await officer.post('/operator/rules').send(aRule('LIB-4', fields));
    expect(detailsOf(expectError(refused, 400, 'VALIDATION_FAILED'))).toEqual([detail]);
  });

  it('a mandatory rule cannot be softened', async () => {
    const [list] = mandatoryRules;
    await officer
      .post('/operator/rules')
      .send({
        ...list,
        cooldown: 'PT1H',
        mode: 'SHADOW',
        effect: { reasonCode: 'X' },
        onIndeterminate: 'RECORD',
      })
      .expect(200);
    const refused = await officer.post('/operator/rules/BR-LIST-01/versions').send({});
    const codes = detailsOf(expectError(refused, 400, 'VALIDATION_FAILED'));
    expect(codes).toEqual([
      'cooldown MANDATORY_RULE',
      'effect.minOutcome MANDATORY_RULE',
      'mode MANDATORY_RULE',
      'onIndeterminate MANDATORY_RULE',
    ]);
  });

  it('is paged, newest first, and shows an organisation its own only', async () => {
    const first = await officer.get('/operator/rules?limit=2').expect(200);
    const { page, data } = first.body as {
      page: { nextCursor: string; hasMore: boolean };
      data: { key: string }[];
    };
    expect(page.hasMore).toBe(true);
    const next = await officer.get(`/operator/rules?limit=200&cursor=${page.nextCursor}`).expect(200);
    const keys = [...data, ...(next.body as { data: { key: string }[] }).data].map(({ key }) => key);
    expect(new Set(keys)).toEqual(new Set(['LIB-1', 'LIB-2', 'LIB-3', 'LIST-1', 'BR-LIST-01']));
    expect((await stranger.get('/operator/rules').expect(200)).body).toMatchObject({ data: [] });
    expectError(await stranger.get('/operator/rules/LIB-1/versions/1'), 404, 'RULE_NOT_FOUND');
    expectError(await officer.get('/operator/rules/NO-SUCH/versions/1'), 404, 'RULE_NOT_FOUND');
  });

  it('what a rule may read is listed with types', async () => {
    const { features, schemaVersion } = dataOf(
      await developer.get('/operator/rules/features').expect(200),
    ) as {
      schemaVersion: number;
      features: { name: string; type: string }[];
    };
    expect(schemaVersion).toBe(1);
    expect(features).toContainEqual(
      expect.objectContaining({ name: 'outgoing.sum24h', type: 'number', window: '24h' }),
    );
  });

  it('reading is not writing', async () => {
    expectError(await developer.post('/operator/rules').send(aRule('LIB-9')), 403, 'PERMISSION_DENIED');
  });
});

describe('Drafts of rulesets', () => {
  it('a draft holds released rules, in their own mode or another', async () => {
    for (const rule of mandatoryRules) await released(rule['key'] as string, rule);
    await released('SET-1');
    const rules = [
      ...mandatoryRules.map(({ key }) => ({ key, version: 1 })),
      { key: 'SET-1', version: 1, mode: 'SHADOW' },
    ];
    const answer = await officer
      .post('/operator/rulesets')
      .send({ key: 'own', ...rulesetBasics, rules })
      .expect(201);
    expect(dataOf(answer)).toMatchObject({
      key: 'own',
      version: 1,
      status: 'DRAFT',
      revision: 1,
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      rules: expect.arrayContaining([{ key: 'SET-1', version: 1, mode: 'SHADOW' }]),
    });
  });

  it('a change says only what changes, and gives another hash', async () => {
    const before = dataOf(await officer.get('/operator/rulesets/own/versions/1').expect(200));
    const answer = await officer
      .call('put', '/operator/rulesets/own/versions/1')
      .send({ revision: 1, putRules: [{ key: 'SET-1', version: 1, mode: 'LIVE' }] })
      .expect(200);
    expect(dataOf(answer)).toMatchObject({ revision: 2, scoring: before['scoring'] });
    expect(dataOf(answer)['contentHash']).not.toBe(before['contentHash']);
  });

  it.each([
    ['an unknown rule', { putRules: [{ key: 'NO-SUCH', version: 1 }] }, 'putRules[0] UNKNOWN_RULE'],
    [
      'bands out of order',
      { scoring: { reviewAt: 60, caps: { default: 60 }, bands: { MEDIUM: 60, HIGH: 30, CRITICAL: 85 } } },
      'scoring.bands DEFINITION_INVALID',
    ],
    [
      'a ruleset that challenges itself',
      { experiment: { challengerOf: 'own', mode: 'SHADOW' } },
      'experiment.challengerOf DEFINITION_INVALID',
    ],
    ['a selector for nothing', { selector: { types: ['pix'] } }, 'selector.types DEFINITION_INVALID'],
    [
      'a dampener of a rule that is not held',
      {
        dampeners: [
          aRule('D-1', { points: -20, suppresses: ['NO-SUCH'], score: undefined, effect: undefined }),
        ],
      },
      'dampeners[0].suppresses DEFINITION_INVALID',
    ],
  ])('%s is refused', async (_what, change, detail) => {
    const refused = await officer.call('put', '/operator/rulesets/own/versions/1').send(change);
    expect(detailsOf(expectError(refused, 400, 'VALIDATION_FAILED'))).toEqual([detail]);
  });

  it('a foreign ruleset does not exist', async () => {
    expectError(await stranger.get('/operator/rulesets/own/versions/1'), 404, 'RULESET_NOT_FOUND');
    expectError(
      await stranger.post('/operator/rulesets').send({ key: 'mine', basedOn: { key: 'own', version: 1 } }),
      404,
      'RULESET_NOT_FOUND',
    );
  });

  it('a draft that nobody wants is archived, and stays readable', async () => {
    await officer.post('/operator/rulesets').send({ key: 'own' }).expect(201);
    await officer
      .post('/operator/rulesets/own/versions/2/archive')
      .send({ reason: 'not needed' })
      .expect(200);
    expect(dataOf(await officer.get('/operator/rulesets/own/versions/2').expect(200))).toMatchObject({
      status: 'ARCHIVED',
    });
    const refused = await officer
      .call('put', '/operator/rulesets/own/versions/2')
      .send({ removeRules: ['SET-1'] });
    expect(detailsOf(expectError(refused, 409, 'STATE_CONFLICT'))).toEqual(['NOT_A_DRAFT']);
  });
});
