import {
  Body,
  Controller,
  Headers,
  HttpStatus,
  Param,
  Query,
  Req,
  Res,
  type OnModuleInit,
} from '@nestjs/common';
import { ApiConsumes, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ClientAppQueries } from '../../auth/index.js';
import {
  ApiData,
  CrossOrigin,
  CurrentRequest,
  envelope,
  forEverybody,
  Route,
  StreamsBody,
} from '../../http/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import { linkActor } from '../actor-context.js';
import { chooseLanguage } from '../domain/language.js';
import { PublicSessionPage } from '../link/public-session-page.service.js';
import { PublicSessionService } from '../link/public-session.service.js';
import { SessionLimits } from '../link/session-limits.service.js';
import { SessionUploads } from '../link/session-uploads.service.js';
import { LanguageQuery, UserDataBody } from './session.dto.js';
import { PublicSessionView } from './public-session.view.dto.js';
import { SubmittedView, UploadedView } from './session.view.dto.js';

const SessionIdParam = (): MethodDecorator =>
  ApiParam({
    name: 'id',
    example: 'ses_0000000000000000000000000000000000000000000',
    description: 'From the link.',
  });

/** Serves sessions to holders of their links. */
@ApiTags('Verification sessions')
@Controller('kyc-sessions')
export class PublicSessionsController implements OnModuleInit {
  constructor(
    private readonly sessions: PublicSessionService,
    private readonly page: PublicSessionPage,
    private readonly limits: SessionLimits,
    private readonly uploads: SessionUploads,
    private readonly apps: ClientAppQueries,
    private readonly crossOrigin: CrossOrigin,
  ) {}

  /** Integrators who draw the steps themselves list the origins of their pages with the application. */
  onModuleInit(): void {
    const originsOf = async (sessionId: string): Promise<readonly string[]> => {
      const session = await this.sessions.at(sessionId).catch(() => null);
      const app = session && (await this.apps.one(session.organisationId, session.clientAppId));
      return app?.status === 'ENABLED' ? app.corsOrigins : [];
    };
    this.crossOrigin.allow('/kyc-sessions/:id/public', ['GET'], originsOf);
    this.crossOrigin.allow('/kyc-sessions/:id/complete', ['POST'], originsOf);
    this.crossOrigin.allow('/kyc-sessions/:id/upload', ['POST'], originsOf);
  }

  @Route.get(':id/public', forEverybody, {
    summary: 'What the page of a session is drawn from',
    description:
      'Steps to render, name of the flow and branding. Nothing that was given is ever shown. After the submission `steps` ' +
      'is empty.',
    view: PublicSessionView,
    errors: ['SESSION_NOT_FOUND'],
  })
  @SessionIdParam()
  async publicSession(
    @Param('id') id: string,
    @Query() { lang }: LanguageQuery,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ) {
    const session = await this.sessions.at(id);
    await this.limits.spend(response, session.id, 'any');
    const language = negotiateLanguage(response, lang, accepted);
    return this.page.of(session, language);
  }

  @Route.put(':id/steps/:stepId', forEverybody, {
    summary: 'Keep the answers of one step, to go on later',
    description:
      'Optional: `complete` takes all answers at once as well. Answers with the public view as it is then. What is saved ' +
      'is never shown again, so a person who comes back goes on at `currentStepId`.',
    params: [{ name: 'stepId', example: 'person' }],
    data: PublicSessionView,
    errors: [
      'SESSION_NOT_FOUND',
      'STEPS_INCOMPLETE',
      'STEP_NOT_FOUND',
      'SESSION_ALREADY_SUBMITTED',
      'SESSION_EXPIRED',
    ],
  })
  @SessionIdParam()
  async saveSessionStep(
    @Param('id') id: string,
    @Param('stepId') stepId: string,
    @Query() { lang }: LanguageQuery,
    @Body() { userData }: UserDataBody,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ) {
    const session = await this.sessions.at(id);
    await this.limits.spend(response, session.id, 'any');
    const language = negotiateLanguage(response, lang, accepted);
    const saved = await this.sessions.saveStep(session, stepId, userData);
    return envelope(await this.page.of(saved, language));
  }

  @Route.post(':id/upload', forEverybody, {
    summary: 'Upload one file',
    description:
      'JPEG, PNG, WebP or PDF, told by its bytes; 10 MiB a file, 20 files and 60 MiB a session. Without `stepId` it goes ' +
      'to the first step that still wants a file. 201 for a new file, 200 for one that the session has already at that place.',
    body: {
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
    },
    data: UploadedView,
    status: 201,
    errors: [
      'SESSION_NOT_FOUND',
      'FILE_TYPE_UNSUPPORTED',
      'FILE_TOO_LARGE',
      'TOO_MANY_ARTIFACTS',
      'REQUEST_TIMEOUT',
      'SESSION_ALREADY_SUBMITTED',
      'SESSION_EXPIRED',
      'OVERLOADED',
    ],
  })
  @StreamsBody()
  @SessionIdParam()
  @ApiConsumes('multipart/form-data')
  @ApiData(UploadedView, {
    status: HttpStatus.OK,
    description: 'The same content again for the same step, document and side.',
  })
  async uploadArtifact(
    @Param('id') id: string,
    @CurrentRequest() context: RequestContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const session = await this.sessions.at(id);
    await this.limits.spend(response, session.id, 'upload');
    const received = await this.uploads.receive(linkActor(session, context), session, request);
    response.status(received.duplicate ? HttpStatus.OK : HttpStatus.CREATED);
    return envelope(UploadedView.of(received));
  }

  @Route.post(':id/complete', forEverybody, {
    summary: 'Submit what was collected and finish the session',
    description:
      'Answers that were saved step by step count too. 202 for the first submission, 200 for the same one again. Checks ' +
      'run afterwards; the result comes with the event `session.completed`.',
    data: SubmittedView,
    status: 202,
    errors: ['SESSION_NOT_FOUND', 'STEPS_INCOMPLETE', 'SESSION_ALREADY_SUBMITTED', 'SESSION_EXPIRED'],
  })
  @SessionIdParam()
  @ApiData(SubmittedView, { status: HttpStatus.OK, description: 'The same submission again.' })
  async completeSession(
    @Param('id') id: string,
    @Body() { userData }: UserDataBody,
    @CurrentRequest() context: RequestContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    const session = await this.sessions.at(id);
    await this.limits.spend(response, session.id, 'complete');
    const submitted = await this.sessions.complete(linkActor(session, context), session, userData);
    response.status(submitted.repeated ? HttpStatus.OK : HttpStatus.ACCEPTED);
    return envelope(SubmittedView.of(id, submitted));
  }
}

function negotiateLanguage(response: Response, asked: string | undefined, accepted: string | undefined) {
  const language = chooseLanguage(asked, accepted);
  response.setHeader('Content-Language', language);
  response.vary('Accept-Language');
  return language;
}
