import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional } from 'class-validator';
import { Field } from '../../../../platform/http/index.js';

// Browsers write base64url. A credential id has at most 1,023 bytes.
const BYTES = /^[A-Za-z0-9_-]+$/;
const ID = { maxLength: 1_364, pattern: BYTES, example: 'AAECAwQFBgcICQoLDA0ODw' } as const;

export class PublicKeyCredentialFields {
  @Field.text(ID) id: string;
  @Field.text(ID) rawId: string;
  @Field.enum(['public-key'], { example: 'public-key' }) type: 'public-key';

  @Field.enum(['platform', 'cross-platform'], { optional: true })
  authenticatorAttachment?: 'platform' | 'cross-platform';

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Browsers send it; nothing of it is read.',
    example: {},
  })
  @IsOptional()
  @IsObject()
  clientExtensionResults?: Record<string, unknown>;
}

export class AssertionFields {
  @Field.text({ maxLength: 8_192, pattern: BYTES }) clientDataJSON: string;
  @Field.text({ maxLength: 8_192, pattern: BYTES }) authenticatorData: string;
  @Field.text({ maxLength: 8_192, pattern: BYTES }) signature: string;
  @Field.text({ optional: true, maxLength: 128, pattern: BYTES }) userHandle?: string;
}

/** A credential of `navigator.credentials.get()`, as its `toJSON()` writes it. */
export class AssertionBody extends PublicKeyCredentialFields {
  @Field.object(() => AssertionFields) response: AssertionFields;
}
