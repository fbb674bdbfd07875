/** One stream of changes from the service. It is read with the token, as an EventSource could not. */
import { accessToken, currentAccess, forgetToken } from '../../api/access.js';
import { problemOf } from '../../api/problem.js';

const TOPICS = 'cases,hits,approvals,sessions,transactions,badges';

export interface StreamMessage {
  readonly event: string;
  readonly data: string;
  /** Where the stream goes on after this message; null if the message has no place of its own. */
  readonly id: string | null;
}

/** `OVER`: it was open. `FAILED`: it was not. `REPLACED`, `OVERLOADED`: the service does not want it. */
export type StreamEnd = 'OVER' | 'FAILED' | 'REPLACED' | 'OVERLOADED';

/** Reads what came after `last` until the stream ends or is dropped. */
export async function readStream(
  operatorId: string,
  last: string | null,
  drop: AbortSignal,
  onMessage: (message: StreamMessage) => void,
): Promise<StreamEnd> {
  let end: StreamEnd = 'FAILED';
  try {
    const token = await accessToken();
    const access = currentAccess();
    // A renewed token can be that of somebody else, who has signed in meanwhile.
    if (access.state !== 'IN' || access.operatorId !== operatorId) return end;
    const response = await fetch(`/operator/stream?topics=${TOPICS}`, {
      cache: 'no-store',
      credentials: 'same-origin',
      signal: drop,
      headers: { authorization: `Bearer ${token}`, ...(last !== null && { 'last-event-id': last }) },
    });
    if (response.status === 401) forgetToken();
    if (!response.ok || !response.body) {
      const { code } = problemOf(response, await response.json());
      return code === 'OVERLOADED' ? code : end;
    }
    end = 'OVER';
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let rest = '';
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined || drop.aborted) return end;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const message of blocks.map(messageOf)) {
        if (message.event === 'end' && message.data.includes('"REPLACED"')) end = 'REPLACED';
        else if (message.event !== '') onMessage(message);
      }
    }
  } catch {
    // The network, the token, or the answer: the caller shows that nothing is live, and tries again.
    return end;
  }
}

function messageOf(block: string): StreamMessage {
  const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
  return {
    event: fields.get('event') ?? '',
    data: fields.get('data') ?? '{}',
    id: fields.get('id') ?? null,
  };
}
