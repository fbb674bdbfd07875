/**
 * The inputs of which an application may say that it does not send them: the statistics of DICT, device and address of the customer, what
 * the customer has declared, and the document of the other party.
 */
export const inputNames = ['DICT', 'DEVICE', 'PROFILE', 'COUNTERPARTY_DOCUMENT'] as const;
export type InputName = (typeof inputNames)[number];
