import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  HttpStatus,
  Param,
  Post,
  Put,
  Query,
  Req,
  Res,
  type OnModuleInit,
} from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ClientAppQueries } from '../../auth/index.js';
import {
  ApiData,
  ApiErrors,
  CrossOrigin,
  CurrentRequest,
  envelope,
  Public,
  StreamsBody,
  type Success,
} from '../../http/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import { actingLink } from '../acting.js';
import { chooseLanguage } from '../domain/language.js';
import { SessionDesk } from '../session-desk.js';
import { SessionLimits } from '../session-limits.js';
import { SessionUploads } from '../session-uploads.js';
import { LanguageQuery, UserDataBody } from './session.dto.js';
import { PublicSessionView, SubmittedView, UploadedView } from './session.view.dto.js';

const SessionIdParam = (): MethodDecorator =>
  ApiParam({
    name: 'id',
    example: 'ses_0000000000000000000000000000000000000000000',
    description: 'From the link.',
  });

/** What whoever holds the link of a session can do. */
@ApiTags('Verification sessions')
@Controller('kyc-sessions')
export class PublicSessionsController implements OnModuleInit {
  constructor(
    private readonly desk: SessionDesk,
    private readonly limits: SessionLimits,
    private readonly uploads: SessionUploads,
    private readonly apps: ClientAppQueries,
    private readonly crossOrigin: CrossOrigin,
  ) {}

  /** Integrators who draw the steps themselves list the origins of their pages with the application. */
  onModuleInit(): void {
    const originsOf = async (sessionId: string): Promise<readonly string[]> => {
      const session = await this.desk.at(sessionId).catch(() => null);
      const app = session && (await this.apps.one(session.organisationId, session.clientAppId));
      return app?.status === 'ENABLED' ? app.corsOrigins : [];
    };
    this.crossOrigin.allow('/kyc-sessions/:id/public', ['GET'], originsOf);
    this.crossOrigin.allow('/kyc-sessions/:id/complete', ['POST'], originsOf);
    this.crossOrigin.allow('/kyc-sessions/:id/upload', ['POST'], originsOf);
  }

  @Get(':id/public')
  @Public()
  @ApiOperation({
    operationId: 'publicSession',
    summary: 'What the page of a session is drawn from',
    description:
      'Steps to render, name of the flow and branding. Nothing that was given is ever shown. After the submission `steps` ' +
      'is empty.',
  })
  @SessionIdParam()
  @ApiOkResponse({ type: PublicSessionView })
  @ApiErrors('SESSION_NOT_FOUND')
  async publicView(
    @Param('id') id: string,
    @Query() { lang }: LanguageQuery,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PublicSessionView> {
    const session = await this.desk.at(id);
    await this.limits.spend(response, session.id, 'any');
    const language = speak(response, lang, accepted);
    return PublicSessionView.of(await this.desk.view(session, language));
  }

  @Put(':id/steps/:stepId')
  @Public()
  @ApiOperation({
    operationId: 'saveSessionStep',
    summary: 'Keep the answers of one step, to go on later',
    description:
      'Optional: `complete` takes all answers at once as well. Answers with the public view as it is then. What is saved ' +
      'is never shown again, so a person who comes back goes on at `currentStepId`.',
  })
  @SessionIdParam()
  @ApiParam({ name: 'stepId', example: 'person' })
  @ApiData(PublicSessionView)
  @ApiErrors(
    'SESSION_NOT_FOUND',
    'STEPS_INCOMPLETE',
    'STEP_NOT_FOUND',
    'SESSION_ALREADY_SUBMITTED',
    'SESSION_EXPIRED',
  )
  async saveStep(
    @Param('id') id: string,
    @Param('stepId') stepId: string,
    @Query() { lang }: LanguageQuery,
    @Body() { userData }: UserDataBody,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Success<PublicSessionView>> {
    const session = await this.desk.at(id);
    await this.limits.spend(response, session.id, 'any');
    const language = speak(response, lang, accepted);
    const view = await this.desk.saveStep(session, stepId, userData, language);
    return envelope(PublicSessionView.of(view));
  }

  @Post(':id/upload')
  @Public()
  @StreamsBody()
  @HttpCode(HttpStatus.CREATED)
  @ApiOperation({
    operationId: 'uploadArtifact',
    summary: 'Upload one file',
    description:
      'JPEG, PNG, WebP or PDF, told by its bytes; 10 MiB a file, 20 files and 60 MiB a session. Without `stepId` it goes ' +
      'to the first step that still wants a file. 201 for a new file, 200 for one that the session has already at that place.',
  })
  @SessionIdParam()
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['file'],
      properties: {
        file: { type: 'string', format: 'binary' },
        stepId: { type: 'string', example: 'document' },
        documentType: { type: 'string', example: 'CNH' },
        side: { type: 'string', enum: ['FRONT', 'BACK'] },
      },
    },
  })
  @ApiData(UploadedView, { status: HttpStatus.CREATED })
  @ApiData(UploadedView, {
    status: HttpStatus.OK,
    description: 'The same content again for the same step, document and side.',
  })
  @ApiErrors(
    'SESSION_NOT_FOUND',
    'FILE_TYPE_UNSUPPORTED',
    'FILE_TOO_LARGE',
    'TOO_MANY_ARTIFACTS',
    'REQUEST_TIMEOUT',
    'SESSION_ALREADY_SUBMITTED',
    'SESSION_EXPIRED',
    'OVERLOADED',
  )
  async upload(
    @Param('id') id: string,
    @CurrentRequest() context: RequestContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Success<UploadedView>> {
    const session = await this.desk.at(id);
    await this.limits.spend(response, session.id, 'upload');
    const received = await this.uploads.receive(actingLink(session, context), session, request);
    response.status(received.duplicate ? HttpStatus.OK : HttpStatus.CREATED);
    return envelope(UploadedView.of(received));
  }

  @Post(':id/complete')
  @Public()
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'completeSession',
    summary: 'Submit what was collected and finish the session',
    description:
      'Answers that were saved step by step count too. 202 for the first submission, 200 for the same one again. Checks ' +
      'run afterwards; the result comes with the event `session.completed`.',
  })
  @SessionIdParam()
  @ApiData(SubmittedView, { status: HttpStatus.ACCEPTED })
  @ApiData(SubmittedView, { status: HttpStatus.OK, description: 'The same submission again.' })
  @ApiErrors('SESSION_NOT_FOUND', 'STEPS_INCOMPLETE', 'SESSION_ALREADY_SUBMITTED', 'SESSION_EXPIRED')
  async complete(
    @Param('id') id: string,
    @Body() { userData }: UserDataBody,
    @CurrentRequest() context: RequestContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Success<SubmittedView>> {
    const session = await this.desk.at(id);
    await this.limits.spend(response, session.id, 'complete');
    const submitted = await this.desk.complete(actingLink(session, context), session, userData);
    response.status(submitted.repeated ? HttpStatus.OK : HttpStatus.ACCEPTED);
    return envelope(SubmittedView.of(id, submitted));
  }
}

function speak(response: Response, asked: string | undefined, accepted: string | undefined) {
  const language = chooseLanguage(asked, accepted);
  response.setHeader('Content-Language', language);
  response.vary('Accept-Language');
  return language;
}
