import { pipeline } from 'node:stream/promises';
import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import { ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import { UnitOfWork } from '../../database/index.js';
import { CurrentOperator, envelope, forOperator, Route, type OperatorPrincipal } from '../../http/index.js';
import { publicId, uuidIn } from '../../kernel/index.js';
import { ArtifactsService } from '../artifacts.service.js';
import { artifactMimeTypes, type ArtifactMimeType } from '../domain/artifact.js';
import { ArtifactContentQuery, LinkArtifactBody } from './artifact.dto.js';
import { ArtifactView } from './artifact.view.dto.js';

const ARTIFACT_ID = { name: 'id', example: 'art_019364d0c0de7000a000000000000006' };
const EXTENSIONS: Readonly<Record<ArtifactMimeType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

/** Uploaded files, for operators. */
@ApiTags('Artifacts')
@Controller('operator/artifacts')
export class ArtifactsController {
  constructor(
    private readonly artifacts: ArtifactsService,
    private readonly uow: UnitOfWork,
  ) {}

  @Route.get(':id', forOperator('artifacts:read'), {
    summary: 'What is known of an uploaded file',
    params: [ARTIFACT_ID],
    data: ArtifactView,
    errors: ['ARTIFACT_NOT_FOUND'],
  })
  async getArtifact(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('id') id: string) {
    return envelope(ArtifactView.of(await this.artifacts.get(organisationId, artifactUuid(id))));
  }

  @Route.get(':id/content', forOperator('artifacts:read'), {
    summary: 'Download an uploaded file',
    description: 'Always as an attachment. Each download is in the audit trail of the artifact.',
    params: [ARTIFACT_ID],
    errors: ['ARTIFACT_NOT_FOUND', 'ARTIFACT_GONE'],
  })
  @ApiProduces(...artifactMimeTypes)
  @ApiResponse({ status: 200, description: 'The file.', schema: { type: 'string', format: 'binary' } })
  async getArtifactContent(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() { rendition }: ArtifactContentQuery,
    @Res() response: Response,
  ) {
    const { artifact, content } = await this.artifacts.show(ctx, artifactUuid(id), rendition);
    const type = rendition === 'view' && artifact.hasView ? 'image/jpeg' : artifact.mimeType;
    response.setHeader('Content-Type', type);
    response.setHeader(
      'Content-Disposition',
      `attachment; filename="${publicId('art', artifact.id)}.${EXTENSIONS[type]}"`,
    );
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Whatever opens it nevertheless runs nothing and reaches nothing.
    response.setHeader('Content-Security-Policy', `default-src 'none'; sandbox`);
    // An error on the way ends the connection: half a file must not look like a whole one.
    await pipeline(content, response);
  }

  @Route.post(':id/link', forOperator('reviews:work'), {
    summary: 'Put a file into the dossier of a customer',
    description: 'For files with `linked: false`. Linking it again to the same customer changes nothing.',
    params: [ARTIFACT_ID],
    data: ArtifactView,
    errors: ['ARTIFACT_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async linkArtifact(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { customerId }: LinkArtifactBody,
  ) {
    const artifactId = artifactUuid(id);
    const customer = uuidIn('cus', customerId, 'CUSTOMER_NOT_FOUND');
    await this.uow.run(ctx.organisationId, (tx) => this.artifacts.link(tx, ctx, artifactId, customer));
    return envelope(ArtifactView.of(await this.artifacts.get(ctx.organisationId, artifactId)));
  }
}

const artifactUuid = (id: string): string => uuidIn('art', id, 'ARTIFACT_NOT_FOUND');
