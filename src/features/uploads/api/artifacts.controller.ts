import { pipeline } from 'node:stream/promises';
import { Body, Controller, HttpStatus, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import { WhyBody } from '../../customers/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { ArtifactViewsService } from '../artifact-views.service.js';
import { ArtifactsService } from '../artifacts.service.js';
import { artifactMimeTypes, type ArtifactMimeType } from '../domain/artifact.js';
import { ArtifactContentQuery, LinkArtifactBody } from './artifact.dto.js';
import { ArtifactView } from './artifact.view.dto.js';

const ARTIFACT_ID = {
  name: 'id',
  description: 'The id of the uploaded file.',
  example: 'art_019364d0c0de7000a000000000000006',
};
const EXTENSIONS: Readonly<Record<ArtifactMimeType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

@ApiTags('Artifacts')
@Controller('operator/artifacts')
export class ArtifactsController {
  constructor(
    private readonly artifacts: ArtifactsService,
    private readonly views: ArtifactViewsService,
    private readonly uow: UnitOfWork,
  ) {}

  @Route.get(':id', forOperator('artifacts:read'), {
    reads: 'artifact',
    summary: 'What is known of an uploaded file',
    description: 'Kind, type, size, hash and checks; not the file itself.',
    params: [ARTIFACT_ID],
    data: [ArtifactView, 'The file.'],
    errors: ['ARTIFACT_NOT_FOUND'],
  })
  async getArtifact(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('id') id: string) {
    return envelope(ArtifactView.of(await this.artifacts.get(organisationId, artifactUuid(id))));
  }

  @Route.get(':id/content', forOperator('artifacts:read'), {
    reads: 'artifact',
    summary: 'Look at an uploaded file: an image, or a page of a PDF as one',
    description:
      'Encoded anew without metadata, at most 2,000 pixels a side. Always as an attachment. Each look is in the audit ' +
      'trail of the artifact.',
    params: [ARTIFACT_ID],
    errors: ['ARTIFACT_NOT_FOUND', 'ARTIFACT_GONE', 'ARTIFACT_NOT_SHOWABLE', 'OVERLOADED'],
    file: ['image/jpeg', 'The image.'],
  })
  async getArtifactContent(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() { page }: ArtifactContentQuery,
    @Res() response: Response,
  ) {
    await send(response, id, 'image/jpeg', await this.views.openView(ctx, artifactUuid(id), page));
  }

  @Route.post(':id/original', forOperator('artifacts:read'), {
    summary: 'Download the bytes of an uploaded file as they came',
    description:
      'For who has to have them: a stranger made this file. Who took it, and that they had a reason, stands in the ' +
      'trail of the artifact.',
    params: [ARTIFACT_ID],
    errors: ['ARTIFACT_NOT_FOUND', 'ARTIFACT_GONE'],
    file: [artifactMimeTypes, 'The file.'],
  })
  async getArtifactOriginal(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: WhyBody,
    @Res() response: Response,
  ) {
    const { mimeType, content } = await this.views.openOriginal(ctx, artifactUuid(id), reason);
    response.status(HttpStatus.OK);
    await send(response, id, mimeType, content);
  }

  @Route.post(':id/link', forOperator('reviews:work'), {
    summary: 'Put a file into the dossier of a customer',
    description: 'For files with `linked: false`. Linking it again to the same customer changes nothing.',
    params: [ARTIFACT_ID],
    data: [ArtifactView, 'The file.'],
    errors: ['ARTIFACT_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async linkArtifact(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { customerId }: LinkArtifactBody,
  ) {
    const artifactId = artifactUuid(id);
    const customer = requireUuid('cus', customerId, 'CUSTOMER_NOT_FOUND');
    await this.uow.run(ctx.organisationId, (tx) => this.artifacts.link(tx, ctx, artifactId, customer));
    return envelope(ArtifactView.of(await this.artifacts.get(ctx.organisationId, artifactId)));
  }
}

const artifactUuid = (id: string): string => requireUuid('art', id, 'ARTIFACT_NOT_FOUND');

async function send(
  response: Response,
  id: string,
  type: ArtifactMimeType,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Disposition', `attachment; filename="${id}.${EXTENSIONS[type]}"`);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // If a browser displays the file anyway, no script runs and no request is sent.
  response.setHeader('Content-Security-Policy', `default-src 'none'; sandbox`);
  // An error while sending closes the connection, so that a truncated file does not look complete.
  await pipeline(content, response);
}
