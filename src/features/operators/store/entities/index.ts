import { LoginThrottleEntity } from './login-throttle.entity.js';
import { OidcLoginEntity } from './oidc-login.entity.js';
import { OperatorDeviceEntity } from './operator-device.entity.js';
import { OperatorInvitationEntity } from './operator-invitation.entity.js';
import { OperatorLineageEntity } from './operator-lineage.entity.js';
import { OperatorPasskeyEntity } from './operator-passkey.entity.js';
import { OperatorSessionEntity } from './operator-session.entity.js';
import { OperatorEntity } from './operator.entity.js';
import { PasskeyChallengeEntity } from './passkey-challenge.entity.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';
import { RefreshTokenEntity } from './refresh-token.entity.js';

export const operatorsEntities = [
  LoginThrottleEntity,
  OidcLoginEntity,
  OperatorDeviceEntity,
  OperatorInvitationEntity,
  OperatorLineageEntity,
  OperatorPasskeyEntity,
  OperatorSessionEntity,
  OperatorEntity,
  PasskeyChallengeEntity,
  RecoveryCodeEntity,
  RefreshTokenEntity,
];
