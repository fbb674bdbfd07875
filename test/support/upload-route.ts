import { Controller, Module, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AuditModule } from '../../src/features/audit/index.js';
import { CustomersModule } from '../../src/features/customers/index.js';
import {
  CurrentClient,
  forClient,
  HttpModule,
  Route,
  StreamsBody,
  type ClientPrincipal,
} from '../../src/platform/http/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { BlindIndex } from '../../src/platform/privacy/index.js';
import { ArtifactIntake, UploadsModule } from '../../src/features/uploads/index.js';

/** Takes files as a session does, without one: for the tests of what is taken and what is refused. */
@Controller('test-uploads')
export class TestUploadsController {
  constructor(
    private readonly intake: ArtifactIntake,
    private readonly index: BlindIndex,
  ) {}

  @Route.post(':owner/:customer', forClient('kyt:ingest'), {
    summary: 'Test',
    description: 'Of a test.',
    status: 201,
  })
  @StreamsBody()
  async upload(
    @CurrentClient() { organisationId, id: clientId }: ClientPrincipal,
    @Param('owner') owner: string,
    @Param('customer') customer: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { artifact, duplicate } = await this.intake.receive(request, {
      organisationId,
      owner: { type: 'SESSION', id: owner },
      subject: { organisationId, index: this.index.computeIndex(organisationId, 'customer', owner) },
      actor: { type: 'client', id: clientId },
      requestId: null,
      correlationId: null,
      customerId: customer === 'none' ? null : customer,
      describe: ({ stepId, documentType, side }) => ({
        kind: 'DOCUMENT',
        stepId,
        documentType,
        side: side === 'FRONT' || side === 'BACK' ? side : null,
      }),
    });
    response.status(duplicate ? 200 : 201);
    return { artifactId: publicId('art', artifact.id), uuid: artifact.id, ...artifact };
  }
}

@Module({
  imports: [AuditModule, CustomersModule, HttpModule, UploadsModule],
  controllers: [TestUploadsController],
})
export class TestUploadsModule {}
