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
} from '../../../platform/http/index.js';
import type { RequestContext } from '../../../platform/telemetry/index.js';
import { linkActor } from '../actor-context.js';
import { chooseLanguage } from '../domain/language.js';
import { FlowDraftsService } from '../flows/flow-drafts.service.js';
import { PublicSessionPageService } from '../link/public-session-page.service.js';
import { requirePending, PublicSessionService } from '../link/public-session.service.js';
import { SessionCodesService } from '../link/session-codes.service.js';
import { SessionLimitsService } from '../link/session-limits.service.js';
import { SessionReuseService } from '../verified/session-reuse.service.js';
import { SessionUploadsService } from '../link/session-uploads.service.js';
import { ReuseBody, SessionLanguageQuery, UserDataBody } from './session.dto.js';
import { CodeSentView, PublicSessionView } from './public-session.view.dto.js';
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
    private readonly page: PublicSessionPageService,
    private readonly limits: SessionLimitsService,
    private readonly uploads: SessionUploadsService,
    private readonly codes: SessionCodesService,
    private readonly drafts: FlowDraftsService,
    private readonly reuse: SessionReuseService,
    private readonly apps: ClientAppQueries,
    private readonly crossOrigin: CrossOrigin,
  ) {}

  /** Allows CORS from the origins that the application lists, for integrators who render the steps themselves. */
  onModuleInit(): void {
    const originsOf = async (sessionId: string): Promise<readonly string[]> => {
      const session = await this.sessions.findByLink(sessionId).catch(() => null);
      const app = session && (await this.apps.findOne(session.organisationId, session.clientAppId));
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
    view: [PublicSessionView, 'The session.'],
    errors: ['SESSION_NOT_FOUND'],
  })
  @SessionIdParam()
  async publicSession(
    @Param('id') id: string,
    @Query() { lang }: SessionLanguageQuery,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ) {
    const language = negotiateLanguage(response, lang, accepted);
    const preview = id.startsWith('pre_') ? await this.drafts.publicPreview(id, language) : null;
    if (preview) return preview;
    const session = await this.sessions.findByLink(id);
    await this.limits.spend(response, session.id, 'any');
    return this.page.render(session, language);
  }

  @Route.put(':id/steps/:stepId', forEverybody, {
    summary: 'Keep the answers of one step, to go on later',
    description:
      'Optional: `complete` takes all answers at once as well. Answers with the public view as it is then. What is saved ' +
      'is never shown again, so a person who comes back goes on at `currentStepId`.',
    params: [{ name: 'stepId', description: 'The id of the step.', example: 'person' }],
    data: [PublicSessionView, 'The session.'],
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
    @Query() { lang }: SessionLanguageQuery,
    @Body() { userData }: UserDataBody,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ) {
    const session = await this.sessions.findByLink(id);
    await this.limits.spend(response, session.id, 'any');
    const language = negotiateLanguage(response, lang, accepted);
    const saved = await this.sessions.saveStep(session, stepId, userData);
    return envelope(await this.page.render(saved, language));
  }

  @Route.post(':id/steps/:stepId/code', forEverybody, {
    summary: 'Send the one-time code of a step',
    description:
      'To the address that the person gave, by the provider of the organisation. The code is then the answer to the step. ' +
      'Five times at most, and not twice within half a minute.',
    data: [CodeSentView, 'How long the code is good for, and when another one can be sent.'],
    status: 202,
    params: [{ name: 'stepId', description: 'The id of the step.', example: 'email_code' }],
    errors: [
      ...(['SESSION_NOT_FOUND', 'STEP_NOT_FOUND', 'STEPS_INCOMPLETE'] as const),
      ...(['SESSION_ALREADY_SUBMITTED', 'SESSION_EXPIRED', 'NOT_READY'] as const),
    ],
  })
  @SessionIdParam()
  async sendCode(
    @Param('id') id: string,
    @Param('stepId') stepId: string,
    @Query() { lang }: SessionLanguageQuery,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ) {
    const session = await this.sessions.findByLink(id);
    await this.limits.spend(response, session.id, 'upload');
    requirePending(session);
    const language = negotiateLanguage(response, lang, accepted);
    const { minutes } = await this.codes.send(session, stepId, language);
    return envelope({ stepId, goodForMinutes: minutes });
  }

  @Route.post(':id/reuse', forEverybody, {
    summary: 'Let the session rest on an earlier verification, as the person agrees',
    description: 'When the public view has `reusable`. A photo of the face is asked for all the same.',
    data: [PublicSessionView, 'The session.'],
    errors: ['SESSION_NOT_FOUND', 'SESSION_ALREADY_SUBMITTED', 'SESSION_EXPIRED', 'STATE_CONFLICT'],
  })
  @SessionIdParam()
  async reuseVerification(
    @Param('id') id: string,
    @Query() { lang }: SessionLanguageQuery,
    @Body() _agreed: ReuseBody,
    @CurrentRequest() context: RequestContext,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ) {
    const session = await this.sessions.findByLink(id);
    await this.limits.spend(response, session.id, 'any');
    requirePending(session);
    await this.reuse.recordConsent(linkActor(session, context), session);
    const language = negotiateLanguage(response, lang, accepted);
    return envelope(await this.page.render(await this.sessions.findByLink(id), language));
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
    data: [UploadedView, 'The new file.'],
    status: 201,
    errors: [
      'SESSION_NOT_FOUND',
      'FILE_TYPE_UNSUPPORTED',
      'FILE_TOO_LARGE',
      'TOO_MANY_ARTIFACTS',
      'QUOTA_EXCEEDED',
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
    const session = await this.sessions.findByLink(id);
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
    data: [SubmittedView, 'The submission, which is judged in the background.'],
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
    const session = await this.sessions.findByLink(id);
    await this.limits.spend(response, session.id, 'complete');
    const receipt = await this.sessions.complete(linkActor(session, context), session, userData);
    response.status(receipt.repeated ? HttpStatus.OK : HttpStatus.ACCEPTED);
    return envelope(SubmittedView.of(id, receipt));
  }
}

function negotiateLanguage(response: Response, asked: string | undefined, accepted: string | undefined) {
  const language = chooseLanguage(asked, accepted);
  response.setHeader('Content-Language', language);
  response.vary('Accept-Language');
  return language;
}
