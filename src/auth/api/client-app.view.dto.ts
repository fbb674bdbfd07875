import { ApiProperty } from '@nestjs/swagger';

export class BrandingView {
  @ApiProperty({ type: String, format: 'uri', nullable: true, example: 'https://loja.example/logo.svg' })
  logoUrl: string | null;

  @ApiProperty({ type: String, pattern: '^#[0-9a-fA-F]{6}$', nullable: true, example: '#0B5FFF' })
  primaryColor: string | null;
}

/** Public configuration of a client application, as the specification shows it: without the envelope. */
export class PublicClientAppView {
  @ApiProperty({ example: 'demo' })
  name: string;

  @ApiProperty({ example: 'Loja Exemplo' })
  publicName: string;

  @ApiProperty({ type: BrandingView })
  branding: BrandingView;

  @ApiProperty({ example: 'demo-app' })
  clientId: string;
}
