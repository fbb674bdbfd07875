interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}
interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly headers?: Readonly<Record<string, object>> }>
  >;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
export interface JudgedDocument {
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Paths;
  readonly webhooks?: Paths;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

type Need = (it: unknown, otherwise: string) => void;

/** Asks for more than Redocly does; a sentence for each thing that is missing. */
export function findingsOf(document: JudgedDocument): string[] {
  const findings = new Set<string>();
  const need: Need = (it, otherwise) => {
    if (!it) findings.add(otherwise);
  };
  const tags = new Map((document.tags ?? []).map(({ name, description }) => [name, description]));
  const seen = new Set<string>();
  for (const [path, methods] of [
    ...Object.entries(document.paths),
    ...Object.entries(document.webhooks ?? {}),
  ]) {
    for (const [method, operation] of Object.entries(methods)) {
      const where = `${method} ${path}`;
      need(!seen.has(operation.operationId), `${where}: ${operation.operationId} is used twice`);
      seen.add(operation.operationId);
      judge(operation, where, need);
      for (const tag of operation.tags ?? []) need(tags.get(tag), `the tag ${tag} is not described`);
      if (path.startsWith('/')) judgeAnswers(operation, where, need);
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) judgeSchema(schema, name, need);
  return [...findings];
}

function judge(operation: Operation, where: string, need: Need): void {
  need(operation.summary, `${where} has no summary`);
  need(operation.description, `${where} has no description`);
  need(operation.security, `${where} does not say who may call it`);
  need(operation.tags?.length, `${where} has no tag`);
  for (const { name, description } of operation.parameters ?? []) {
    need(description, `${where}: ${name} is not described`);
  }
}

function judgeAnswers({ responses }: Operation, where: string, need: Need): void {
  for (const [status, { description, headers }] of Object.entries(responses)) {
    need(description, `${where}: the answer ${status} is not described`);
    need(headers?.['X-Request-Id'], `${where}: the answer ${status} has no X-Request-Id`);
    const later = status === '429' || status === '503';
    const elsewhere = status === '302' || status === '303';
    need(!elsewhere || headers?.['Location'], `${where}: the answer ${status} has no Location`);
    need(!later || headers?.['Retry-After'], `${where}: the answer ${status} has no Retry-After`);
  }
}

function judgeSchema(schema: Schema, where: string, need: Need): void {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    need(member.description, `${where}.${name} is not described`);
    judgeSchema(member, `${where}.${name}`, need);
  }
  if (schema.items) judgeSchema(schema.items, where, need);
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    judgeSchema(part, where, need);
  }
}
