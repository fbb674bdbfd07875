import { View } from '../../../platform/http/index.js';
import { ApiProperty } from '@nestjs/swagger';

export class BrandingView {
  @View.textOrNull({ format: 'uri', example: 'https://loja.example/logo.svg' }) logoUrl: string | null;

  @ApiProperty({ type: String, pattern: '^#[0-9a-fA-F]{6}$', nullable: true, example: '#0B5FFF' })
  primaryColor: string | null;
}

/** The public configuration of a client application. The specification sends it without an envelope. */
export class PublicClientAppView {
  @View.text({ example: 'demo' }) name: string;
  @View.text({ example: 'Loja Exemplo' }) publicName: string;
  @View.object(BrandingView) branding: BrandingView;
  @View.text({ example: 'demo-app' }) clientId: string;
}
