# One image, run as ROLE=api, worker or all; `node dist/src/cli/main.js migrate` in it prepares the database.
# A release names Node by digest: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…, as docs/releases.md says.
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json nest-cli.json ormconfig.ts ./
COPY src ./src
COPY sdk ./sdk
COPY tools ./tools
COPY web ./web
COPY scripts/build-page.mjs ./scripts/
RUN npm run build

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 PROBES_PORT=3001 DATA_DIR=/data
COPY package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/web/dist ./web/dist
COPY --from=build /app/web/console/dist ./web/console/dist
# The documents, which are the pages for developers.
COPY README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md ./
COPY docs ./docs
COPY sdk/node/README.md ./sdk/node/
COPY sdk/python/README.md ./sdk/python/
COPY sdk/go/README.md ./sdk/go/
COPY sdk/cli/README.md ./sdk/cli/
COPY web/developers ./web/developers
COPY scripts/vigia.mjs ./scripts/
# The one place to write to: uploaded files, and the anchors of the audit log. A volume takes its owner over from here.
RUN install -d -m 700 -o node -g node /data
# Nothing in /app belongs to this user: what is broken into cannot rewrite itself.
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "const { NODE_ENV, PROBES_PORT, PORT } = process.env; fetch('http://127.0.0.1:' + (NODE_ENV === 'production' ? PROBES_PORT : PORT) + '/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# node itself is process 1 and hears SIGTERM; the service then drains.
CMD ["node", "--disable-proto=delete", "--max-semi-space-size=32", "--heap-growing-percent=100", "--no-allocation-site-pretenuring", "dist/src/main.js"]
