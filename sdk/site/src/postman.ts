import type { OpenAPIObject } from '@nestjs/swagger';
import { sampleText, sampleCall, tagsOf, type OpenApiOperation } from './reference.js';

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const CREDENTIALS = [
  { key: 'x-client-id', value: '{{clientId}}' },
  { key: 'x-client-secret', value: '{{clientSecret}}' },
];

/** Returns the API as a Postman collection (v2.1), which Bruno and Insomnia also import. It contains no credentials. */
export function postmanCollection(
  document: OpenAPIObject,
  operations: readonly OpenApiOperation[],
  baseUrl: string,
): object {
  return {
    info: { name: document.info.title, description: document.info.description, schema: FORMAT },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'clientId', value: '' },
      { key: 'clientSecret', value: '' },
    ],
    item: tagsOf(document, operations).map((tag) => ({
      name: tag,
      item: operations.filter((one) => one.tag === tag).map((one) => itemOf(document, one)),
    })),
  };
}

function itemOf(document: OpenAPIObject, operation: OpenApiOperation): object {
  const { body, isUpload, asClient, method } = sampleCall(document, operation);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  const variable = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .map((one) => ({ key: one.name, value: sampleText(document, one) ?? '', description: one.description }));
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, description }) => ({ key: name, value: '', description, disabled: true }));
  return {
    name: operation.summary,
    request: {
      method,
      description: operation.description,
      header: [
        ...(asClient ? CREDENTIALS : []),
        ...(body === null ? [] : [{ key: 'content-type', value: 'application/json' }]),
      ],
      url: {
        raw: `{{baseUrl}}${path}`,
        host: ['{{baseUrl}}'],
        path: path.slice(1).split('/'),
        query,
        variable,
      },
      ...(body === null ? {} : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2) } }),
      ...(isUpload ? { body: { mode: 'formdata', formdata: [{ key: 'file', type: 'file' }] } } : {}),
    },
  };
}
