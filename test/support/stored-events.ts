import type { OpenAPIObject } from '@nestjs/swagger';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { buildOpenApi } from '../../src/bootstrap/api-docs/index.js';
import { SealBrokenError, Vault } from '../../src/platform/privacy/index.js';
import type { EventEnvelope } from '../../src/features/webhooks/index.js';
import { decryptPayloads } from '../../src/features/webhooks/events/sealed-payloads.js';
import type { TestApp } from './app.js';
import { closed, schemaJudge } from './schema-judge.js';

const BATCH = 500;

/** Says what is wrong with an event by the document's own schema, or in it without being described there. */
export function violationsBy(
  document: OpenAPIObject,
): (event: Pick<EventEnvelope, 'type'>) => readonly string[] {
  const ajv = schemaJudge().addSchema(closed(document), 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  return (event) => {
    const validate = compiled.get(event.type) ?? ajv.compile(closedSchemaOf(document, event.type));
    compiled.set(event.type, validate);
    validate(event);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${event.type}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

interface EventSchema {
  readonly allOf: readonly { readonly properties?: { readonly data?: { readonly $ref: string } } }[];
}

/** The published schema of an event, with nothing beside what it describes. */
function closedSchemaOf(document: OpenAPIObject, type: string): object {
  const body = document.webhooks?.[type]?.post?.requestBody as
    | { readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>> }
    | undefined;
  const name = body?.content['application/json']?.schema.$ref.split('/').at(-1) ?? '';
  const schema = document.components?.schemas?.[name] as EventSchema | undefined;
  const data = schema?.allOf[1]?.properties?.data?.$ref;
  if (data === undefined) throw new Error(`no schema is published for ${type}`);
  return {
    $ref: `openapi#/webhooks/${type}/post/requestBody/content/application~1json/schema`,
    properties: { data: { $ref: `openapi${data}`, unevaluatedProperties: false } },
    unevaluatedProperties: false,
  };
}

/**
 * Opens every event that the application stored and holds it against the published schema. Those whose person was
 * erased cannot be opened and are counted; with `mayBeBroken` also those that a test damaged.
 */
export async function storedEvents(
  t: TestApp,
  { mayBeBroken = false } = {},
): Promise<{ types: Map<string, number>; erased: number; violations: string[] }> {
  const violationsOf = violationsBy(buildOpenApi(t.app, t.settings));
  const vault = t.app.get(Vault);
  const types = new Map<string, number>();
  const violations: string[] = [];
  let erased = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await t.owner.query<{
      id: string;
      organisation_id: string;
      type: string;
      sequence: number;
      sealed_payload: Buffer;
    }>(
      `SELECT id, organisation_id, type, sequence, sealed_payload FROM events WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
      [after],
    );
    const bodies = await decryptPayloads(
      vault,
      rows.map(({ id, organisation_id: organisationId, sealed_payload: sealedPayload }) => ({
        id,
        organisationId,
        sealedPayload,
      })),
    );
    rows.forEach((row, i) => {
      const body = bodies[i] ?? null;
      if (body === null) erased += 1;
      else if (body instanceof SealBrokenError) {
        if (!mayBeBroken) violations.push(`${row.id} does not open`);
      } else {
        const event = JSON.parse(body.toString()) as EventEnvelope;
        types.set(event.type, (types.get(event.type) ?? 0) + 1);
        violations.push(...violationsOf(event));
        const same = event.type === row.type && event.sequence === row.sequence;
        if (!same) violations.push(`${row.id} is another`);
      }
    });
    if (rows.length < BATCH) return { types, erased, violations };
    after = rows.at(-1)?.id ?? after;
  }
}
