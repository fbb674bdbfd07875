import { pipeline } from 'node:stream/promises';
import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Acting } from '../../audit/index.js';
import { UnitOfWork } from '../../database/index.js';
import {
  ApiData,
  ApiErrors,
  CurrentOperator,
  envelope,
  ForOperator,
  type OperatorPrincipal,
  type Success,
} from '../../http/index.js';
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

  @Get(':id')
  @ForOperator('artifacts:read')
  @ApiOperation({ operationId: 'getArtifact', summary: 'What is known of an uploaded file' })
  @ApiParam(ARTIFACT_ID)
  @ApiData(ArtifactView)
  @ApiErrors('ARTIFACT_NOT_FOUND')
  async one(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<ArtifactView>> {
    return envelope(ArtifactView.of(await this.artifacts.get(organisationId, artifactUuid(id))));
  }

  @Get(':id/content')
  @ForOperator('artifacts:read')
  @ApiOperation({
    operationId: 'getArtifactContent',
    summary: 'Download an uploaded file',
    description: 'Always as an attachment. Each download is in the audit trail of the artifact.',
  })
  @ApiParam(ARTIFACT_ID)
  @ApiProduces(...artifactMimeTypes)
  @ApiResponse({ status: 200, description: 'The file.', schema: { type: 'string', format: 'binary' } })
  @ApiErrors('ARTIFACT_NOT_FOUND', 'ARTIFACT_GONE')
  async content(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Query() { rendition }: ArtifactContentQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { artifact, content } = await this.artifacts.show(acting, artifactUuid(id), rendition);
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

  @Post(':id/link')
  @ForOperator('reviews:work')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'linkArtifact',
    summary: 'Put a file into the dossier of a customer',
    description: 'For files with `linked: false`. Linking it again to the same customer changes nothing.',
  })
  @ApiParam(ARTIFACT_ID)
  @ApiData(ArtifactView)
  @ApiErrors('ARTIFACT_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'STATE_CONFLICT')
  async link(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() { customerId }: LinkArtifactBody,
  ): Promise<Success<ArtifactView>> {
    const artifactId = artifactUuid(id);
    const customer = uuidIn('cus', customerId, 'CUSTOMER_NOT_FOUND');
    await this.uow.run(acting.organisationId, (tx) => this.artifacts.link(tx, acting, artifactId, customer));
    return envelope(ArtifactView.of(await this.artifacts.get(acting.organisationId, artifactId)));
  }
}

const artifactUuid = (id: string): string => uuidIn('art', id, 'ARTIFACT_NOT_FOUND');
