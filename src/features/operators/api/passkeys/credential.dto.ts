import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional } from 'class-validator';
import { Field } from '../../../../platform/http/index.js';

// Browsers write base64url. A credential id has at most 1,023 bytes.
const BYTES = /^[A-Za-z0-9_-]+$/;
const ID = { maxLength: 1_364, pattern: BYTES, example: 'AAECAwQFBgcICQoLDA0ODw' } as const;

export class PublicKeyCredentialFields {
  @Field.text('The id of the passkey.', ID) id: string;
  @Field.text('The id of the passkey, base64url.', ID) rawId: string;
  @Field.enum(['public-key'], 'The type of the passkey.', { example: 'public-key' }) type: 'public-key';

  @Field.enum(
    ['platform', 'cross-platform'],
    'Whether the authenticator is part of the device or was plugged in.',
    { optional: true },
  )
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
  @Field.text('What the browser says of the call, base64url.', { maxLength: 8_192, pattern: BYTES })
  clientDataJSON: string;
  @Field.text('What the authenticator signed, base64url.', { maxLength: 8_192, pattern: BYTES })
  authenticatorData: string;
  @Field.text('The signature.', { maxLength: 8_192, pattern: BYTES }) signature: string;
  @Field.text('The user that the authenticator knows, base64url.', {
    optional: true,
    maxLength: 128,
    pattern: BYTES,
  })
  userHandle?: string;
}

/** A credential of `navigator.credentials.get()`, as its `toJSON()` writes it. */
export class AssertionBody extends PublicKeyCredentialFields {
  @Field.object(() => AssertionFields, 'What the authenticator answered.') response: AssertionFields;
}
