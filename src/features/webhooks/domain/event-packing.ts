import { Packing } from '../../../platform/kernel/index.js';

// The compression dictionary: texts of most events, the most common last. A test pins them: see `Packing`.
const EVENT_1 = [
  '"type":"session.reopened","type":"session.created","type":"session.completed","type":"customer.identified",',
  '"type":"kyt.transaction.dead_lettered","sessionId":"ses_","url":"https://","customerId":"cus_","reviewId":"rev_',
  '"nextAction":{"type":"STEP_UP_SESSION","sessionId":"ses_","url":"http://127.0.0.1:","expiresAt":"202","stepUpSessionId":"ses_',
  '"status":"COMPLETED","verdict":"CHALLENGE","outcome":"CHALLENGED","recommendedAction":"STEP_UP","riskLevel":"MEDIUM",',
  '"verdict":"HOLD","nextAction":null,"outcome":"REVIEW","recommendedAction":"HOLD","riskScore":,"riskLevel":"HIGH",',
  '"defensible":false,"composition":"PARTIAL","nonDefensibleReasons":["RULES_PARTIAL"],"notEvaluated":[{"ruleId":"BR-","missing":["',
  '"reasons":[{"ruleId":"BR-","version":1,"name":{"en":"","pt-BR":""},"reasonCode":"","severity":"MEDIUM","points":,"group":"',
  '","observed":"amountBrl = BRL ","window":"history","saturated":false,"threshold":"","flags":[],"message":{"pt-BR":"","en":"',
  '"},"legalBasis":[{"item":"","norm":"Resolução BCB ","norm":"Circular BCB 3.978/2020","siscoafCode":null}]}],',
  '"requestedActions":[{"ruleId":"BR-","type":"STEP_UP_SESSION","flowKey":"step-up","expiresIn":"PT30M","expiresInAtNight":"PT60M",',
  '"onlyIfNoneWithin":"PT12H"}],"reviewRequired":true,"test":true,"audit":null,',
  '{"id":"evt_","type":"kyt.transaction.queued","timestamp":"202","apiVersion":"2026-11-01","environment":"production","sequence":1,"correlationId":"',
  '"environment":"sandbox","test":false,"audit":{"origin":"vigia/sandbox/t/',
  '{"id":"evt_01","type":"kyt.transaction.pipeline.completed","timestamp":"202',
  'Z","apiVersion":"2026-11-01","environment":"production","sequence":2,"correlationId":"req_01',
  '","test":false,"audit":{"origin":"vigia/production/t/01',
  '/i/1","size":,"root":"=","signedAt":"202Z","signature":"="},"data":{"transactionId":"',
  '","status":"QUEUED","externalCustomerId":"","requestId":"req_","correlationId":"","receivedAt":"202Z"}}',
  '"status":"COMPLETED","verdict":"RELEASE","nextAction":null,"outcome":"APPROVED","recommendedAction":"NONE","riskScore":0,"riskLevel":"LOW",',
  '"defensible":true,"composition":"COMPLETE","nonDefensibleReasons":[],"notEvaluated":[],"reasons":[],"requestedActions":[],"reviewRequired":false,',
  '"rulesetVersion":"br-starter@1","rulesetHash":"","evaluationVersion":1,"evaluatedAt":"202Z","receiptHash":""}}',
].join('');

export const eventDictionaries: readonly string[] = [EVENT_1];

export const eventPacking = new Packing(...eventDictionaries);
