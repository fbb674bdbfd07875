import { Packing, PackingBrokenError, sha256 } from '../../../../platform/kernel/index.js';

// Compression dictionaries: texts that most bodies and receipts contain, the most frequent last. A test pins them,
// because bytes can only be unpacked with the dictionary that packed them. A better dictionary is added at the end of
// its list.

const BODY_1 = [
  '"BOLETO_PAYMENT","TED_TRANSFER","CARD_PURCHASE","CARD_WITHDRAWAL","CASH_DEPOSIT","CASH_WITHDRAWAL","INTERNAL_TRANSFER",',
  '"PIX_WITHDRAWAL","PIX_PAYMENT","channel":"API","channel":"WEB","channel":"BRANCH","channel":"ATM","currency":"USD",',
  '{"transactionId":"","customer":{"id":"","name":"","document":"},"amount":,"currency":"BRL","type":"","metadata":{',
  '"direction":"IN","direction":"OUT","walletReference":"","metadata":{"declines":0}}"cpfCnpj":"***.',
  '{"statistics":{"OWNER":{"CONFIRMED_FRAUDS":{"d30":0,"m12":0},"registrationDate":"20',
  '"type":"PIX_TRANSFER","channel":"MOBILE_APP","amount":,"currency":"BRL","occurredAt":"202',
  '.000Z","metadata":{"deviceId":"","deviceRegistered":true,"ipAddress":"',
  '","dict":{"statistics":{"KEY":{"CONFIRMED_FRAUDS":{"d30":0},"REPORTED_FRAUDS":{"d30":0}}}}}}',
  ',"destination":{"name":"","cpfCnpj":"","accountReference":"","bankReference":"","country":"BR"},',
  '{"origin":{"name":"","cpfCnpj":"","accountReference":"","bankReference":"","country":"BR"},',
  '"transactionId":"","externalCustomerId":"","cpfCnpj":"","type":"',
  '{"name":"","cpfCnpj":"","accountReference":"","bankReference":"","country":"BR"}',
].join('');

const RECEIPT_1 = [
  '{"actions":[{"action":{"expiresIn":"PT30M","expiresInAtNight":"PT60M","flowKey":"step-up","onlyIfNoneWithin":"PT12H",',
  '"type":"STEP_UP_SESSION"},"ruleId":"BR-","status":"REQUESTED"}],"challengeFlows":{"step-up":{"session":"kys_","state":"OPEN"}},',
  '"reason":"INDEX_LOADING","STALE_SOURCE","composition":"PARTIAL","contradictions":["defensible":false,"outcome":"REVIEW",',
  '"recommendedAction":"HOLD","recommendedAction":"STEP_UP","nonDefensibleReasons":["LISTS_ERROR","RULES_PARTIAL"],',
  '"notEvaluated":[{"missing":["","ruleId":"BR-"}],"outcome":"CHALLENGED","level":"MEDIUM","level":"HIGH",',
  '"reasons":[{"flags":[],"group":"","legalBasis":[{"item":"","norm":"Circular BCB 3.978/2020","siscoafCode":null}],',
  '"norm":"Resolução BCB ","norm":"Carta Circular BCB 4.001/2020","message":{"en":" BRL ","pt-BR":" R$ "},"name":{"en":"","pt-BR":""},',
  '"observed":"","points":,"reasonCode":"","ruleId":"BR-","saturated":false,"severity":"MEDIUM","threshold":"","version":1,"window":"history"}],',
  '"groups":[{"cap":60,"counted":,"group":"","points":}],"timeZone":"America/Sao_Paulo","counterparty.seenBefore"',
  '"values":{"occurredAt":,"param.limit":},"amountBrl","customer.personType":"NATURAL","profile.',
  '"verdicts":[{"effect":"COUNTED","explanation":[{"expr":"","result":"FALSE","saturated":[],"unknown":{},"values":{}},{"expr":"',
  '","result":"TRUE","saturated":[],"unknown":{},"values":{"","result":"UNKNOWN","saturated":[],"unknown":{"":{"reason":"NOT_CHOSEN","state":"MISSING"}},',
  '"values":{}}],"points":0,"result":"INDETERMINATE","ruleId":"BR-","version":1},{"effect":"COUNTED",',
  '"points":35,"result":"HIT","ruleId":"BR-","version":1}]}',
  '{"actions":[],"components":{"COUNTERPARTY":{"asOf":"202T:00.000Z","points":0,"source":"submission","state":"NO_HIT"},',
  '"DEVICE_IP":{"asOf":"","points":0,"source":"kyt_transactions","state":"NO_HIT"},',
  '"DICT":{"asOf":"","points":0,"reason":"NOT_PIX","source":"metadata.dict","state":"SKIPPED"},',
  '"DICT":{"asOf":"","points":0,"source":"metadata.dict","state":"NO_HIT"},',
  '"FX":{"asOf":"","points":0,"source":"submission","state":"NO_HIT"},',
  '"IDENTITY":{"asOf":"","points":0,"source":"submission","state":"NO_HIT"},',
  '"LISTS":{"asOf":"","points":0,"source":"@1 (0 d), ","state":"NO_HIT","terms":{"thresholds":{"":[0.8,0.85],"":[0.88,0.92],"":[0.85,0.88]}}},',
  '"PROFILE":{"asOf":"","points":0,"reason":"NOT_DECLARED","source":"customers","state":"MISSING_INPUT"},',
  '"PROFILE":{"asOf":"","points":0,"source":"customers","state":"NO_HIT"},',
  '"RULES":{"asOf":"","points":0,"source":"br-starter@1","state":"HIT"},',
  '"RULES":{"asOf":"","points":0,"source":"br-starter@1","state":"NO_HIT"},',
  '"VELOCITY":{"asOf":"","points":0,"source":"kyt_transactions","state":"NO_HIT"}},',
  '"composition":"COMPLETE","contradictions":[],"dampeners":[],"dampening":0,"defensible":true,"evaluatedAt":"202',
  'Z","evaluationVersion":1,"exempt":[],"factsHash":"","flags":[],"formula":4,"groups":[],"inputHash":"',
  '","level":"LOW","nonDefensibleReasons":[],"notEvaluated":[],"outcome":"APPROVED","reasons":[],"recommendedAction":"NONE",',
  '"required":["IDENTITY","COUNTERPARTY","LISTS","VELOCITY","RULES","DEVICE_IP","DICT"],"ruleCount":28,',
  '"ruleset":{"contentHash":"","key":"br-starter","version":1},"score":0,"trail":{"hash":"',
  '","seq":1},"trailIntact":true,"transactionRef":"","verdicts":[]}',
].join('');

/** The dictionaries of submitted bodies, which are packed by section. */
export const bodyDictionaries: readonly string[] = [BODY_1];

export const receiptDictionaries: readonly string[] = [RECEIPT_1];

export const bodyPacking = new Packing(...bodyDictionaries);
export const receiptPacking = new Packing(...receiptDictionaries);

/**
 * Returns the text of a stored receipt, which its hash covers. Throws `PackingBrokenError` if the bytes were changed.
 */
export const receiptText = (stored: Buffer): string => receiptPacking.unpack(stored).toString('utf8');

/** Returns the text of a stored receipt; null if the bytes were changed. */
export function readableReceipt(stored: Buffer): string | null {
  try {
    return receiptText(stored);
  } catch (error) {
    if (error instanceof PackingBrokenError) return null;
    throw error;
  }
}

/** True if the text of a stored receipt has this hash. */
export function receiptMatchesHash(stored: Buffer, hash: Buffer): boolean {
  const text = readableReceipt(stored);
  return text !== null && sha256(text).equals(hash);
}
