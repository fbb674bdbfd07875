import { Field, View, viewOf } from '../../../platform/http/index.js';
import { publicId, toPublicActor } from '../../../platform/kernel/index.js';
import { instantText } from '../../../platform/kernel/values/instant.js';
import type { FreezeWithNotices } from '../hits/freezes.service.js';

const AUTHORITIES = ['MJSP', 'COAF', 'BCB', 'CVM', 'SUSEP', 'COURT', 'OTHER'] as const;

export class NoticeBody {
  @Field.enum(AUTHORITIES, 'Which authority was told.', { example: 'COAF' })
  told: (typeof AUTHORITIES)[number];
  @Field.text('What the authority calls it: a protocol, never a name.', {
    max: 100,
    pattern: /^[A-Za-z0-9][A-Za-z0-9./_-]*$/,
    form: 'letters, digits and ./_-',
    example: 'SEI-08000.000123/2026-11',
  })
  reference: string;

  @Field.instant('When the authority was told.', { example: '2026-11-24T12:00:00.000Z' }) toldAt: string;
}

export class NoticeView {
  @View.enum(AUTHORITIES, 'Which authority was told.') told: string;
  @View.text('Names it without opening it.', { example: 'SEI-08000.000123/2026-11' }) reference: string;
  @View.instant('When the authority was told.') toldAt: string;
  @View.text('Who told the authority.') toldBy: string;
}

export class FreezeView {
  @View.id('frz', 'The id of the freeze.') id: string;
  @View.id('hit', 'The id of the hit.') hitId: string;
  @View.idOrNull('cus', 'The id of the customer; null while nobody is identified.') customerId: string | null;
  @View.instant('When everything of the person was frozen.') frozenAt: string;
  @View.text('Who approved that it is the person.') frozenBy: string;
  @View.list(NoticeView, 'Authorities that were told.') notices: readonly NoticeView[];
  @View.instantOrNull('When it was lifted; null while it holds.') liftedAt: string | null;
  @View.textOrNull('Who lifted it.') liftedBy: string | null;

  static of({ freeze, notices }: FreezeWithNotices): FreezeView {
    return {
      id: publicId('frz', freeze.id),
      hitId: publicId('hit', freeze.hitId),
      customerId: freeze.customerId === null ? null : publicId('cus', freeze.customerId),
      frozenAt: freeze.frozenAt.toISOString(),
      frozenBy: toPublicActor(freeze.frozenBy),
      notices: notices.map(({ told, reference, toldAt, toldBy }) => ({
        told,
        reference,
        toldAt: toldAt.toISOString(),
        toldBy: toPublicActor(toldBy),
      })),
      liftedAt: instantText(freeze.liftedAt),
      liftedBy: freeze.liftedBy === null ? null : toPublicActor(freeze.liftedBy),
    };
  }
}

export class ClearedView {
  @View.id('txn', 'The id of the transaction in this service.') transactionRef: string;
  @View.instant('When it was used.') usedAt: string;
  @View.instantOrNull('When the dismissal was taken back.') reopenedAt: string | null;
  @View.instantOrNull('When the transaction was judged again.') judgedAt: string | null;

  static of(use: {
    readonly transactionRef: string;
    readonly usedAt: Date;
    readonly reopenedAt: Date | null;
    readonly judgedAt: Date | null;
  }): ClearedView {
    return viewOf(ClearedView, use, {});
  }
}
