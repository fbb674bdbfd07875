import { View } from '../../../platform/http/index.js';
import { ApiProperty } from '@nestjs/swagger';

export class BrandingView {
  @View.textOrNull('Where the logo is; null for none.', {
    format: 'uri',
    example: 'https://loja.example/logo.svg',
  })
  logoUrl: string | null;

  @ApiProperty({
    description: 'The main colour, as `#rrggbb`.',
    type: String,
    pattern: '^#[0-9a-fA-F]{6}$',
    nullable: true,
    example: '#0B5FFF',
  })
  primaryColor: string | null;
}

/** The public configuration of a client application. The specification sends it without an envelope. */
export class PublicClientAppView {
  @View.text('The name of the application.', { example: 'demo' }) name: string;
  @View.text('The name that end users see.', { example: 'Loja Exemplo' }) publicName: string;
  @View.object(BrandingView, 'How the institution shows itself: name, logo and colour.')
  branding: BrandingView;
  @View.text('The client id, as in the header `x-client-id`.', { example: 'demo-app' }) clientId: string;
}
