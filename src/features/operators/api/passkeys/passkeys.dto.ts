import { ApiProperty } from '@nestjs/swagger';
import { Field, View, viewOf } from '../../../../platform/http/index.js';
import type { AddedPasskey } from '../../passkeys/own-passkeys.service.js';
import type { CreationOptions, RequestOptions } from '../../passkeys/passkeys.js';
import type { PasskeyRow } from '../../store/operator.queries.js';
import { PublicKeyCredentialFields } from './credential.dto.js';

// Browsers write base64url.
const BYTES = /^[A-Za-z0-9_-]+$/;

export class AttestationFields {
  @Field.text('What the browser says of the call, base64url.', { maxLength: 8_192, pattern: BYTES })
  clientDataJSON: string;
  @Field.text('What the authenticator says of the new key, base64url.', { maxLength: 32_768, pattern: BYTES })
  attestationObject: string;

  @Field.texts('How the authenticator is reached.', { optional: true, maxItems: 16, example: ['internal'] })
  transports?: string[];

  // Browsers derive these fields from the attestation object; the service reads only that object.
  @Field.text('What the authenticator signed, base64url.', {
    optional: true,
    maxLength: 8_192,
    pattern: BYTES,
  })
  authenticatorData?: string;
  @Field.text('The public key, base64url.', { optional: true, maxLength: 8_192, pattern: BYTES })
  publicKey?: string;
  @Field.integer('The COSE number of the algorithm.', { optional: true, min: -70_000, max: 0 })
  publicKeyAlgorithm?: number;
}

/** A credential of `navigator.credentials.create()`, as its `toJSON()` writes it. */
export class CreatedCredentialBody extends PublicKeyCredentialFields {
  @Field.object(() => AttestationFields, 'What the authenticator answered.') response: AttestationFields;
}

export class AddPasskeyBody {
  @Field.text('What its owner calls it.', { maxLength: 80, example: 'Chave azul' }) name: string;
  @Field.object(() => CreatedCredentialBody, 'What the browser hands over of the passkey.')
  credential: CreatedCredentialBody;
}

export class PasskeyOptionsBody {
  @Field.enum(
    ['required', 'preferred'],
    '`required` for signing in with the passkey alone; `preferred` where it stands beside a password.',
    { optional: true, default: 'required' },
  )
  userVerification: 'required' | 'preferred' = 'required';
}

export class CreateOptionsView {
  @View.json(
    'For `PublicKeyCredential.parseCreationOptionsFromJSON()`, and then `navigator.credentials.create()`.',
  )
  publicKey: CreationOptions;
}

export class RequestOptionsView {
  @View.json(
    'For `PublicKeyCredential.parseRequestOptionsFromJSON()`, and then `navigator.credentials.get()`.',
  )
  publicKey: RequestOptions;
}

export class PasskeyView {
  @View.id('psk', 'The id of the passkey.') id: string;
  @View.text('The name of the passkey.', { example: 'Chave azul' }) name: string;
  @View.texts('How the authenticator is reached.', { example: ['internal'] }) transports: readonly string[];
  @View.flag('Whether the authenticator keeps a copy of it elsewhere.', { example: true }) backedUp: boolean;
  @View.instant('When the passkey was created.') createdAt: string;
  @View.instantOrNull('When it was last used; null for never.') lastUsedAt: string | null;

  static of(passkey: PasskeyRow): PasskeyView {
    return viewOf(PasskeyView, passkey, {});
  }
}

export class CreatedPasskeyView extends PasskeyView {
  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'With the first second factor: codes for emergencies, shown this once. Null otherwise.',
    example: ['7K2QD-9XWMT-4HBVR-1PZ6N'],
  })
  recoveryCodes: string[] | null;

  static ofAdded({ passkey, recoveryCodes }: AddedPasskey): CreatedPasskeyView {
    return Object.assign(PasskeyView.of(passkey), { recoveryCodes });
  }
}
