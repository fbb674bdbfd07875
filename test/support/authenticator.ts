import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

interface CreationOptions {
  readonly rp: { readonly id?: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
}

interface RequestOptions {
  readonly rpId?: string;
  readonly challenge: string;
}

export interface Behaviour {
  /** Whether it looks at its owner's PIN, finger or face. */
  readonly verifies?: boolean;
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** Steps back in its count, as a copy of the key would. */
  readonly counter?: number;
  readonly userHandle?: string;
}

interface Credential {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly clientExtensionResults: object;
}

export interface CreatedCredential extends Credential {
  readonly authenticatorAttachment: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: readonly string[];
    readonly publicKeyAlgorithm: number;
  };
}

export interface AssertedCredential extends Credential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string;
  };
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** An authenticator in software, with one key: what a phone or a security key answers through a browser. */
export class SoftwareAuthenticator {
  private readonly key: KeyObject;
  private readonly publicKey: KeyObject;
  private counter = 0;
  private userHandle = '';

  /** @param credentialId somebody else's, to try what happens */
  constructor(
    private readonly origin: string,
    readonly credentialId = randomBytes(32),
  ) {
    ({ privateKey: this.key, publicKey: this.publicKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
    }));
  }

  /** As `navigator.credentials.create()`, without attestation. */
  create(options: CreationOptions, behaviour: Behaviour = {}): CreatedCredential {
    this.userHandle = options.user.id;
    const id = this.credentialId.toString('base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const data = Buffer.concat([
      this.authenticatorData(behaviour.rpId ?? options.rp.id ?? '', ATTESTED, behaviour),
      Buffer.alloc(16),
      length,
      this.credentialId,
      this.coseKey(),
    ]);
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: this.clientData('webauthn.create', options.challenge, behaviour),
        attestationObject: cbor(
          new Map<Cbor, Cbor>([
            ['fmt', 'none'],
            ['attStmt', new Map()],
            ['authData', data],
          ]),
        ).toString('base64url'),
        transports: ['internal'],
        publicKeyAlgorithm: -7,
      },
    };
  }

  /** As `navigator.credentials.get()`. */
  get(options: RequestOptions, behaviour: Behaviour = {}): AssertedCredential {
    const id = this.credentialId.toString('base64url');
    const data = this.authenticatorData(behaviour.rpId ?? options.rpId ?? '', 0, behaviour);
    const clientDataJSON = this.clientData('webauthn.get', options.challenge, behaviour);
    const digest = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, digest]), this.key).toString('base64url'),
        userHandle: behaviour.userHandle ?? this.userHandle,
      },
    };
  }

  private clientData(type: string, challenge: string, behaviour: Behaviour): string {
    const said = {
      type: behaviour.type ?? type,
      challenge: behaviour.challenge ?? challenge,
      origin: behaviour.origin ?? this.origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(said)).toString('base64url');
  }

  private authenticatorData(rpId: string, flags: number, { verifies = true, counter }: Behaviour): Buffer {
    this.counter = counter ?? this.counter + 1;
    const rest = Buffer.alloc(5);
    rest.writeUInt8(PRESENT | flags | (verifies ? VERIFIED : 0));
    rest.writeUInt32BE(this.counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
  }

  /** ES256 on P-256 (RFC 9053). */
  private coseKey(): Buffer {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    return cbor(
      new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
  }
}

type Cbor = number | string | Buffer | Map<Cbor, Cbor>;

/** As much of CBOR (RFC 8949) as an authenticator writes. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') {
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 0x100) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
}
