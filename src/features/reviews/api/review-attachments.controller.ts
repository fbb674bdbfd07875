import { Controller, HttpStatus, Param, Req, Res } from '@nestjs/common';
import { ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import { ApiData, envelope, forOperator, Route, StreamsBody } from '../../../platform/http/index.js';
import { ArtifactView } from '../../uploads/index.js';

import { ReviewAttachmentsService } from '../cases/review-attachments.service.js';
import { REVIEW_ID, reviewUuid } from './review-ids.js';

@ApiTags('Reviews')
@Controller('operator/reviews/:id/attachments')
export class ReviewAttachmentsController {
  constructor(private readonly attachments: ReviewAttachmentsService) {}

  @Route.post('', forOperator('reviews:work'), {
    summary: 'Add a file to a case',
    description:
      'JPEG, PNG, WebP or PDF, told by its bytes; 10 MiB a file, 20 files and 60 MiB a case. Name its id in `artifactIds` ' +
      'of a note. It is downloaded with `GET /operator/artifacts/{id}/content`. 201 for a new file, 200 for one that the ' +
      'case has already.',
    params: [REVIEW_ID],
    body: {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', format: 'binary' } },
      },
    },
    data: [ArtifactView, 'The new file.'],
    status: 201,
    errors: [
      'REVIEW_NOT_FOUND',
      'STATE_CONFLICT',
      'FILE_TYPE_UNSUPPORTED',
      'FILE_TOO_LARGE',
      'TOO_MANY_ARTIFACTS',
      'QUOTA_EXCEEDED',
      'REQUEST_TIMEOUT',
      'OVERLOADED',
    ],
  })
  @StreamsBody()
  @ApiConsumes('multipart/form-data')
  @ApiData(ArtifactView, { status: HttpStatus.OK, description: 'The same content again.' })
  async uploadReviewAttachment(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { artifact, duplicate } = await this.attachments.receive(ctx, reviewUuid(id), request);
    response.status(duplicate ? HttpStatus.OK : HttpStatus.CREATED);
    return envelope(ArtifactView.of(artifact));
  }
}
