// Owns the OpenAPI documents, and serves the pages for developers, which sdk/site renders. Promises that a document states
// the callers, the input and the answers of every route, and nothing that the service does not do.
export { buildOpenApi, mountApiDocs, buildOperatorOpenApi, servesDocs } from './api-docs.js';
export { filterOpenApiPaths } from './openapi-part.js';
