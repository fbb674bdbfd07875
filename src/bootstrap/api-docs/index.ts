// Owns the OpenAPI documents and the pages for developers. Promises that a document says of every
// route who may call it, what it takes and answers, and nothing that the service does not do.
export { apiDocument, mountApiDocs, operatorDocument, servesDocs } from './api-docs.js';
export { errorsMarkdown } from './errors-page.js';
export { partOf } from './openapi-part.js';
export { anchorOf } from './pages/markup.js';
