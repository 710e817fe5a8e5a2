# To pin it: --build-arg BUN_IMAGE=oven/bun:1.4.5-slim@sha256:<digest>
ARG BUN_IMAGE=oven/bun:1.4.5-slim

FROM ${BUN_IMAGE} AS dependencies
WORKDIR /app
COPY package.json bun.lock ./
# Left out: the embedded database (an image is given a real one) and what packages want for types only.
RUN bun install --frozen-lockfile --production --omit=optional --omit=peer --ignore-scripts

FROM ${BUN_IMAGE} AS client
WORKDIR /app
COPY package.json bun.lock ./
RUN bun install --frozen-lockfile --omit=optional --ignore-scripts
COPY src src
RUN bun src/web/build.ts

FROM ${BUN_IMAGE}
ENV NODE_ENV=production
ENV HOST=0.0.0.0
ENV PORT=3000
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=client /app/.web .web
COPY package.json ./
COPY drizzle drizzle
COPY src src
USER bun
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["bun", "-e", "process.exit((await fetch('http://127.0.0.1:' + Bun.env.PORT + '/health/ready')).ok ? 0 : 1)"]
CMD ["bun", "src/main.ts"]
