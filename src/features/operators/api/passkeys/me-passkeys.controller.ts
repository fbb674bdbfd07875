import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiOnePage,
  CurrentOperator,
  envelope,
  forOperator,
  MAX_PAGE_SIZE,
  page,
  Route,
  type OperatorPrincipal,
} from '../../../../platform/http/index.js';
import { requireUuid } from '../../../../platform/kernel/index.js';
import { FromCall, type CallOrigin } from '../../call-origin.js';
import { OwnPasskeysService } from '../../passkeys/own-passkeys.service.js';
import { ReauthenticationBody } from '../auth.dto.js';
import {
  CreatedPasskeyView,
  AddPasskeyBody,
  CreateOptionsView,
  PasskeyView,
  RequestOptionsView,
} from './passkeys.dto.js';

const ERRORS = ['PERMISSION_DENIED', 'STATE_CONFLICT', 'PASSKEYS_NOT_CONFIGURED', 'OVERLOADED'] as const;

@ApiTags('Me')
@Controller('operator/me')
export class MePasskeysController {
  constructor(private readonly ownPasskeys: OwnPasskeysService) {}

  @Route.get('passkeys', forOperator(), {
    summary: 'The own passkeys, the oldest first',
    description: 'Names and dates only; the keys themselves are not shown.',
  })
  @ApiOnePage(PasskeyView, 'All passkeys of the caller.')
  async listPasskeys(@CurrentOperator() me: OperatorPrincipal) {
    return page(
      await this.ownPasskeys.list(me),
      MAX_PAGE_SIZE,
      ({ id }) => [id],
      (passkey) => PasskeyView.of(passkey),
    );
  }

  @Route.post('passkeys/options', forOperator(), {
    summary: 'Begin to add a passkey',
    description:
      'Give the options to the browser and send what it makes to `POST /operator/me/passkeys/verify`.',
    data: [CreateOptionsView, 'Options for `navigator.credentials.create`.'],
    status: 201,
    errors: [...ERRORS],
  })
  async beginPasskey(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: ReauthenticationBody,
    @FromCall() from: CallOrigin,
  ) {
    return envelope({ publicKey: await this.ownPasskeys.begin(me, body, from) });
  }

  @Route.post('passkeys/verify', forOperator(), {
    summary: 'Add the passkey that the browser made; this session is strong from then on',
    description: 'With the first second factor all other sessions end.',
    data: [CreatedPasskeyView, 'The new passkey.'],
    status: 201,
    errors: [...ERRORS],
  })
  async addPasskey(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() { name, credential }: AddPasskeyBody,
    @FromCall() from: CallOrigin,
  ) {
    return envelope(CreatedPasskeyView.ofAdded(await this.ownPasskeys.add(me, name, credential, from)));
  }

  @Route.post('passkeys/:id/remove', forOperator(), {
    summary: 'Remove a passkey; the last second factor stays',
    description:
      'Asks for the password or a second factor again. Logins with this passkey are refused from then on.',
    params: [
      { name: 'id', description: 'The id of the passkey.', example: 'psk_019364d0c0de7000a000000000000001' },
    ],
    data: [null, 'The passkey is removed.'],
    errors: [...ERRORS, 'PASSKEY_NOT_FOUND'],
  })
  async removePasskey(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @Body() body: ReauthenticationBody,
    @FromCall() from: CallOrigin,
  ) {
    await this.ownPasskeys.remove(me, requireUuid('psk', id, 'PASSKEY_NOT_FOUND'), body, from);
    return envelope(null);
  }

  @Route.post('step-up/options', forOperator(), {
    summary: 'Options for showing a passkey in this session',
    description:
      'Send what the browser signs as `passkey` to `POST /operator/me/step-up`, or wherever a second factor is asked for again.',
    data: [RequestOptionsView, 'Options for `navigator.credentials.get`.'],
    status: 201,
    errors: ['PERMISSION_DENIED', 'PASSKEYS_NOT_CONFIGURED'],
  })
  async stepUpOptions(@CurrentOperator() me: OperatorPrincipal) {
    return envelope({ publicKey: await this.ownPasskeys.stepUpOptions(me) });
  }
}
