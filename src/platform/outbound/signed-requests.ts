import { AwsClient } from 'aws4fetch';
import type { OutboundProxy } from './outbound-proxy.js';

export interface RequestSigningKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region: string;
  readonly service: string;
}

const RETRIES = 3;
const FIRST_WAIT_MS = 50;

/** Sends SigV4-signed requests, through the proxy where configured. Retries while the service is busy or failing. */
export class SignedRequests extends AwsClient {
  constructor(
    key: RequestSigningKey,
    private readonly send: OutboundProxy['fetch'],
  ) {
    super(key);
  }

  override async fetch(input: string, init: RequestInit): Promise<Response> {
    for (let remaining = RETRIES; ; remaining -= 1) {
      const answer = await this.send(await this.sign(input, init));
      if (remaining === 0 || (answer.status < 500 && answer.status !== 429)) return answer;
      await answer.arrayBuffer();
      const most = FIRST_WAIT_MS * 2 ** (RETRIES - remaining);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * most));
    }
  }
}
