// Owns the OpenAPI documents and the developer pages. Promises that a document states the callers, the input and the
// answers of every route, and nothing that the service does not do.
export { buildOpenApi, mountApiDocs, buildOperatorOpenApi, servesDocs } from './api-docs.js';
export { renderErrorsMarkdown } from './errors-page.js';
export { filterOpenApiPaths } from './openapi-part.js';
export { anchorOf } from './pages/markup.js';
