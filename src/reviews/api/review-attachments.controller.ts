import { Controller, HttpCode, HttpStatus, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Acting } from '../../audit/index.js';
import { ApiData, ApiErrors, envelope, ForOperator, StreamsBody, type Success } from '../../http/index.js';
import { ArtifactView } from '../../uploads/index.js';

import { ReviewAttachments } from '../review-attachments.js';
import { REVIEW_ID, reviewUuid } from './review-ids.js';

/** Files that reviewers add to a case. */
@ApiTags('Reviews')
@Controller('operator/reviews/:id/attachments')
export class ReviewAttachmentsController {
  constructor(private readonly attachments: ReviewAttachments) {}

  @Post()
  @ForOperator('reviews:work')
  @StreamsBody()
  @HttpCode(HttpStatus.CREATED)
  @ApiOperation({
    operationId: 'uploadReviewAttachment',
    summary: 'Add a file to a case',
    description:
      'JPEG, PNG, WebP or PDF, told by its bytes; 10 MiB a file, 20 files and 60 MiB a case. Name its id in `artifactIds` ' +
      'of a note. It is downloaded with `GET /operator/artifacts/{id}/content`. 201 for a new file, 200 for one that the ' +
      'case has already.',
  })
  @ApiParam(REVIEW_ID)
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary' } },
    },
  })
  @ApiData(ArtifactView, { status: HttpStatus.CREATED })
  @ApiData(ArtifactView, { status: HttpStatus.OK, description: 'The same content again.' })
  @ApiErrors(
    'REVIEW_NOT_FOUND',
    'STATE_CONFLICT',
    'FILE_TYPE_UNSUPPORTED',
    'FILE_TOO_LARGE',
    'TOO_MANY_ARTIFACTS',
    'REQUEST_TIMEOUT',
    'OVERLOADED',
  )
  async upload(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Success<ArtifactView>> {
    const { artifact, duplicate } = await this.attachments.receive(acting, reviewUuid(id), request);
    response.status(duplicate ? HttpStatus.OK : HttpStatus.CREATED);
    return envelope(ArtifactView.of(artifact));
  }
}
