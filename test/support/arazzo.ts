import type { TestApi } from './api.js';

/** An Arazzo 1.0 document, as far as ours goes. */
export interface Arazzo {
  readonly workflows: readonly Workflow[];
}

export interface Workflow {
  readonly workflowId: string;
  readonly steps: readonly Step[];
  readonly outputs?: Readonly<Record<string, string>>;
}

interface Step {
  readonly stepId: string;
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly value: unknown }[];
  readonly requestBody?: { readonly payload: unknown };
  readonly successCriteria: readonly { readonly condition: string }[];
  readonly onFailure?: readonly {
    readonly type: string;
    readonly retryAfter: number;
    readonly retryLimit: number;
  }[];
  readonly outputs?: Readonly<Record<string, string>>;
}

export interface RoutedOperation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Runs a workflow step by step; its outputs. Fails with the step whose criteria are not met. */
export async function runWorkflow(
  api: TestApi,
  operations: ReadonlyMap<string, RoutedOperation>,
  { workflowId, steps, outputs = {} }: Workflow,
  inputs: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const known: Record<string, Record<string, unknown>> = {};
  const value = (expression: unknown, answer?: Answer): unknown => {
    if (typeof expression === 'object' && expression !== null) {
      return Object.fromEntries(Object.entries(expression).map(([name, one]) => [name, value(one, answer)]));
    }
    if (typeof expression !== 'string' || !expression.startsWith('$')) return expression;
    if (expression === '$statusCode') return answer?.status;
    const [, input] = /^\$inputs\.(\w+)$/.exec(expression) ?? [];
    if (input !== undefined) return inputs[input];
    const [, step = '', output = ''] = /^\$steps\.(\w+)\.outputs\.(\w+)$/.exec(expression) ?? [];
    if (step !== '') return known[step]?.[output];
    const [, pointer] = /^\$response\.body#(\/.*)$/.exec(expression) ?? [];
    if (pointer === undefined) throw new Error(`${expression} is not understood`);
    return pointer
      .slice(1)
      .split('/')
      .reduce<unknown>((of, name) => (of as Record<string, unknown> | undefined)?.[name], answer?.body);
  };
  const isMet = (condition: string, answer: Answer): boolean => {
    const [, left = '', right = ''] = /^(\S+) == (.*)$/.exec(condition) ?? [];
    return value(left, answer) === JSON.parse(right.replaceAll("'", '"'));
  };
  for (const step of steps) {
    const operation = operations.get(step.operationId);
    if (!operation) throw new Error(`there is no operation ${step.operationId}`);
    const [retry] = step.onFailure ?? [];
    for (let attempt = 0; ; attempt += 1) {
      let path = operation.path;
      const query: Record<string, string> = {};
      for (const { name, in: place, value: expression } of step.parameters ?? []) {
        const given = String(value(expression));
        if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(given));
        else query[name] = given;
      }
      const request = api.call(operation.method, path).query(query);
      const body = step.requestBody;
      const answer: Answer = await (body ? request.send(value(body.payload) as object) : request);
      const missed = step.successCriteria.find(({ condition }) => !isMet(condition, answer));
      if (!missed) {
        known[step.stepId] = Object.fromEntries(
          Object.entries(step.outputs ?? {}).map(([name, expression]) => [name, value(expression, answer)]),
        );
        break;
      }
      if (attempt >= (retry?.retryLimit ?? 0)) {
        throw new Error(
          `${workflowId}, ${step.stepId}: ${missed.condition} is not true of ${answer.status} ${JSON.stringify(answer.body)}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, (retry?.retryAfter ?? 0) * 1_000));
    }
  }
  return Object.fromEntries(Object.entries(outputs).map(([name, expression]) => [name, value(expression)]));
}
