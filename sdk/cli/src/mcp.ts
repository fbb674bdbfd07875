import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import type { VigiaClient } from '../../node/src/index.js';

interface Scenario {
  readonly name: string;
  readonly summary: string;
}

/** A part of the pages for developers, as their search reads it. */
interface Section {
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly begin: string;
  readonly words: string;
}

const MOST_FOUND = 8;
const READ_ONLY = { readOnlyHint: true, openWorldHint: false } as const;

/**
 * Serves the Model Context Protocol over the standard input and output until it is closed. Its tools read what the
 * application may read, and change nothing.
 */
export function serveMcp(client: VigiaClient, baseUrl: string): void {
  serveStdio(() => mcpServer(client, baseUrl));
}

function mcpServer(client: VigiaClient, baseUrl: string): McpServer {
  const server = new McpServer({ name: 'vigia', version: '0.1.0' });
  const sections = async (): Promise<readonly Section[]> => {
    const answer = await fetch(`${baseUrl}/developers/search.json`);
    if (!answer.ok) throw new Error('This service does not serve its documents (API_DOCS).');
    const index = (await answer.json()) as { readonly sections: readonly Section[] };
    return index.sections;
  };
  server.registerTool(
    'explain_decision',
    {
      title: 'Explain a decision',
      description:
        'Reads a transaction with its verdict, reasons, what was looked at and what was not, and the events about it.',
      inputSchema: z.object({ transactionId: z.string().describe('The id that the application gave it.') }),
      annotations: READ_ONLY,
    },
    ({ transactionId }) =>
      answered(async () => ({
        transaction: await client.transaction(transactionId),
        events: await client.send({
          method: 'GET',
          path: `/kyt/transactions/${encodeURIComponent(transactionId)}/events`,
        }),
      })),
  );
  server.registerTool(
    'find_requests',
    {
      title: 'Find requests',
      description:
        'Looks in the request log of the application: by request id, status or error code. It holds routes, statuses and faults by path, never values.',
      inputSchema: z.object({
        requestId: z.string().optional(),
        status: z.number().int().optional(),
        code: z.string().optional(),
      }),
      annotations: READ_ONLY,
    },
    (query) =>
      answered(() => client.send({ method: 'GET', path: '/requests', query: { ...query, limit: 20 } })),
  );
  server.registerTool(
    'explain_error',
    {
      title: 'Explain an error',
      description: 'Says what an error code means and what to do about it.',
      inputSchema: z.object({ code: z.string().describe('Such as TRANSACTION_ID_CONFLICT.') }),
      annotations: READ_ONLY,
    },
    ({ code }) =>
      answered(async () => {
        const found = (await sections()).find(({ page, heading }) => page === 'Errors' && heading === code);
        if (!found) throw new Error(`There is no error ${code}.`);
        return shown(baseUrl, found);
      }),
  );
  server.registerTool(
    'find_scenario',
    {
      title: 'Find a scenario of the sandbox',
      description: 'Finds the scenarios that show something, such as a hold, and what each promises.',
      inputSchema: z.object({ words: z.string().describe('A word of what it is to show; empty for all.') }),
      annotations: READ_ONLY,
    },
    ({ words }) =>
      answered(async () => {
        const { scenarios } = await client.send<{ scenarios: readonly Scenario[] }>({
          method: 'GET',
          path: '/sandbox/scenarios',
        });
        const wanted = words.toLowerCase();
        return scenarios.filter((one) => JSON.stringify(one).toLowerCase().includes(wanted));
      }),
  );
  server.registerTool(
    'search_documents',
    {
      title: 'Search the documents',
      description:
        'Finds the parts of the guides, the reference and the error index in which all words stand.',
      inputSchema: z.object({ words: z.string() }),
      annotations: READ_ONLY,
    },
    ({ words }) =>
      answered(async () => {
        const wanted = words.toLowerCase().split(/\W+/).filter(Boolean);
        return (await sections())
          .filter(({ page, heading, words: text }) => {
            const all = `${page} ${heading} ${text}`.toLowerCase();
            return wanted.every((word) => all.includes(word));
          })
          .slice(0, MOST_FOUND)
          .map((section) => shown(baseUrl, section));
      }),
  );
  return server;
}

const shown = (baseUrl: string, { path, page, heading, begin }: Section): object => ({
  page,
  heading,
  text: begin,
  url: baseUrl + path,
});

interface ToolAnswer {
  readonly [name: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError?: boolean;
}

/** The outcome of a call; a refusal is an answer that the asker can read. */
async function answered(call: () => Promise<unknown>): Promise<ToolAnswer> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await call(), null, 2) }] };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}
