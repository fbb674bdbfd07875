import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  type ChangedValues,
} from '../approvals/index.js';
import type { ActorContext } from '../audit/index.js';
import { execute, sqlArray, UnitOfWork, type Reader, type Tx } from '../../platform/database/index.js';
import { newUuid } from '../../platform/kernel/index.js';
import { validateRates, hashOfRates, parseRate, formatRate, type RateList } from './domain/rate-list.js';
import { ExchangeRatesService } from './exchange-rates.service.js';
import { FIND_VALID_RATES } from './store/rate.statements.js';

/** Imports rates from operators. Rates decide which rules an amount meets, so a second person approves each import. */
@Injectable()
export class RateImportsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly approvals: ApprovalsService,
    private readonly rates: ExchangeRatesService,
  ) {}

  async request(
    ctx: ActorContext,
    { reason, source, ...wanted }: RateList & { readonly reason: string },
  ): Promise<Approval> {
    const { organisationId } = ctx;
    const rates = validateRates(wanted.rates);
    const texts = rates.map(formatRate);
    const contentHash = hashOfRates({ source, rates }).toString('hex');
    return this.uow.run(organisationId, async (tx) =>
      this.approvals.request(tx, ctx, {
        act: 'fx.import',
        subjectId: newUuid(),
        before: { rates: await readCurrentRates(tx, organisationId, texts) },
        after: { source, rates: texts, contentHash },
        reason,
      }),
    );
  }

  /**
   * Approval check: returns the current rates of the same days. The request is refused if they changed after it was
   * made.
   */
  @CurrentValues('fx.import')
  async currentValues(tx: Tx, { organisationId, change }: Approval): Promise<ChangedValues> {
    return { rates: await readCurrentRates(tx, organisationId, textsOf(change.after)) };
  }

  @ApplyAct('fx.import')
  async apply(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { subjectId, change, requestedBy, singleControl } = approval;
    const rates = textsOf(change.after).map(parseRate);
    const list = { source: change.after['source'] as string, rates };
    await this.rates.importIn(tx, ctx, subjectId, list, {
      importedBy: `operator:${requestedBy}`,
      singleControl,
    });
  }
}

const textsOf = (after: ChangedValues): readonly string[] => after['rates'] as readonly string[];

async function readCurrentRates(
  db: Reader,
  organisationId: string,
  texts: readonly string[],
): Promise<string[]> {
  const rates = texts.map(parseRate);
  const validRates = await execute(db, FIND_VALID_RATES, [
    organisationId,
    sqlArray.plain(rates.map(({ currency }) => currency)),
    sqlArray.plain(rates.map(({ date }) => date)),
  ]);
  return validRates.map(formatRate);
}
