import type { EventData } from './event-data.js';

export const EXAMPLE_CORRELATION = '5f0c2a4e-2f0b-4d7e-9a55-0b7f0f9c2a11';
const SESSION = 'ses_Zk9m2Qy7Vb4Xr8Tn1Lw6Jd3Hs5';
const CUSTOMER = 'cus_01999e8e7c5b7d0f9a3c5f2d1b4e6a11';

/** What a typical event of each type says: in the documentation, and in events that are sent to try an endpoint. */
export const eventExamples: EventData = {
  'kyt.transaction.queued': {
    transactionId: 'pix-2026-000001',
    status: 'QUEUED',
    externalCustomerId: 'customer-4711',
    requestId: 'req_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
    correlationId: EXAMPLE_CORRELATION,
    receivedAt: '2026-11-20T12:00:01.240Z',
  },
  'kyt.transaction.pipeline.completed': {
    transactionId: 'pix-2026-000001',
    status: 'COMPLETED',
    outcome: 'REVIEW',
    recommendedAction: 'NONE',
    riskScore: 20,
    riskLevel: 'LOW',
    defensible: false,
    composition: 'PARTIAL',
    nonDefensibleReasons: ['DEVICE_IP_MISSING_INPUT'],
    reasons: [
      {
        ruleId: 'velocity-count-24h',
        version: 1,
        points: 20,
        observed: '14',
        threshold: '10',
        window: '24h',
        saturated: false,
        message: { 'pt-BR': 'Muitas transações em 24 horas', en: 'Many transactions within 24 hours' },
        legalBasis: [{ norm: 'BCB Circular 3.978/2020', item: 'art. 39', siscoafCode: null }],
      },
    ],
    reviewRequired: true,
    requestedActions: [],
    rulesetVersion: 'br-starter@1',
    rulesetHash: 'b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78',
    evaluationVersion: 1,
    evaluatedAt: '2026-11-20T12:00:01.254Z',
    receiptHash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  'kyt.transaction.dead_lettered': {
    transactionId: 'pix-2026-000001',
    status: 'DEAD_LETTERED',
    failure: { code: 'EVALUATION_FAILED', stage: 'EVALUATE', attempts: 5 },
    replayable: true,
  },
  'session.created': {
    sessionId: SESSION,
    status: 'PENDING',
    flowName: 'Cadastro completo',
    customerId: CUSTOMER,
    trigger: 'OPERATOR',
    expiresAt: '2026-11-21T12:00:00.000Z',
  },
  'session.completed': {
    sessionId: SESSION,
    status: 'COMPLETED',
    customerId: CUSTOMER,
    riskScore: 12,
    outcome: 'APPROVED',
    defensible: true,
    completedAt: '2026-11-20T12:30:00.000Z',
  },
  'customer.identified': {
    customerId: CUSTOMER,
    externalCustomerId: 'customer-4711',
    documentMasked: '***.456.789-**',
    personType: 'NATURAL',
    assurance: 'DOCUMENT_AND_SELFIE',
    identifiedBy: 'SESSION',
  },
};
