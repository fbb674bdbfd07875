import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/index.js';
import type { Grant } from '../session-grants.js';

/** What a login gives. In cookie mode the refresh token and the device token are in cookies, and null here. */
export class GrantView {
  @ApiProperty({ description: 'Send it as `Authorization: Bearer …`.' })
  accessToken: string;

  @ApiProperty({ enum: ['Bearer'], example: 'Bearer' })
  tokenType: string;

  @ApiProperty({ type: 'integer', example: 600, description: 'Seconds that the access token lives.' })
  expiresIn: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Good once. Null in cookie mode and for machines.',
  })
  refreshToken: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Keep it and send it with later logins from this device.',
  })
  deviceToken: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cookie mode: send it as X-CSRF-Token when refreshing.',
  })
  csrfToken: string | null;

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000001' })
  operatorId: string;

  @ApiProperty({ example: 'ops_019364d0c0de7000a000000000000001' })
  sessionId: string;

  static of(grant: Grant, cookieMode: boolean): GrantView {
    return {
      accessToken: grant.accessToken,
      tokenType: 'Bearer',
      expiresIn: grant.expiresIn,
      refreshToken: cookieMode ? null : grant.refreshToken,
      deviceToken: cookieMode ? null : grant.deviceToken,
      csrfToken: cookieMode ? grant.csrfToken : null,
      operatorId: publicId('opr', grant.operator.id),
      sessionId: publicId('ops', grant.sessionId),
    };
  }
}

export class TotpSeedView {
  @ApiProperty({
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    description: 'Base32; for typing it into the app.',
  })
  secret: string;

  @ApiProperty({
    example: 'otpauth://totp/Vigia:ana%40example.com',
    description: 'As a QR code for the app.',
  })
  uri: string;
}

export class RecoveryCodesView {
  @ApiProperty({
    type: [String],
    example: ['7K2QD-9XWMT-4HBVR-1PZ6N'],
    description: 'Each is good once, instead of a code of the app. Shown this once.',
  })
  recoveryCodes: string[];
}
