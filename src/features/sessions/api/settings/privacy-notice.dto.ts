import { ApiProperty } from '@nestjs/swagger';
import { Field, View } from '../../../../platform/http/index.js';
import { publicId } from '../../../../platform/kernel/index.js';
import type { PrivacyNotice, PrivacyNoticeVersion } from '../../domain/making/privacy-notice.js';
import { NoticeTextBody } from './notice-text.dto.js';

export class DataControllerBody {
  @Field.text('The name of the data controller.', { maxLength: 200, example: 'Loja Exemplo S.A.' })
  name: string;
  @Field.text('Its CNPJ, as people read it.', { maxLength: 20, example: '11.222.333/0001-81' })
  document: string;
}

export class DataOfficerBody {
  @Field.text('The name of the officer.', { maxLength: 200, example: 'Ana Exemplo' }) name: string;
  @Field.text('How to reach the officer.', { maxLength: 200, example: 'encarregado@loja.example' })
  contact: string;
}

/** The privacy notice that people read before any question (LGPD art. 9). */
export class PrivacyNoticeBody {
  @Field.object(() => DataControllerBody, 'Who decides what the data is used for (LGPD art. 5, VI).')
  controller: DataControllerBody;
  @Field.list(() => NoticeTextBody, 'What the data is used for.', { min: 1, max: 10 })
  purposes: NoticeTextBody[];

  @Field.object(() => NoticeTextBody, 'How long it is kept.') retention: NoticeTextBody;
  @Field.object(() => DataOfficerBody, 'The encarregado (LGPD art. 41).') officer: DataOfficerBody;

  @Field.object(() => NoticeTextBody, 'What becomes of photos of faces, which are sensitive data.')
  biometrics: NoticeTextBody;

  @Field.text('Where people get help with their verification.', {
    optional: 'not null',
    maxLength: 200,
    example: '0800 000 0000',
  })
  helpContact?: string;
}

export class PrivacyNoticeVersionView {
  @View.id('pnv', 'The id of the version.') id: string;
  @View.integer('Sessions keep the number of the one that they show.', { example: 3 }) version: number;
  @ApiProperty({ description: 'The notice in all its languages.', type: PrivacyNoticeBody })
  content: PrivacyNotice;
  @View.text('Who created the version.', { example: 'operator:opr_019364d0c0de7000a000000000000001' })
  createdBy: string;
  @View.instant('When the version was created.') createdAt: string;

  static of({ id, version, content, createdBy, createdAt }: PrivacyNoticeVersion): PrivacyNoticeVersionView {
    const [type = '', by = ''] = createdBy.split(':');
    return {
      ...{ id: publicId('pnv', id), version, content },
      createdBy: type === 'operator' ? `operator:${publicId('opr', by)}` : createdBy,
      createdAt: createdAt.toISOString(),
    };
  }
}

export class CurrentPrivacyNoticeView {
  @View.objectOrNull(PrivacyNoticeVersionView, 'Null while the organisation has none.')
  current: PrivacyNoticeVersionView | null;
}
