# syntax=docker/dockerfile:1
# Built from a checkout; the second stage holds what runs and nothing that builds.
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts && node scripts/build.mjs
# What runs is packed as it would be published, and installed without anything that only builds or tests.
RUN mkdir /packs && npm pack --workspaces --pack-destination /packs --loglevel=error \
 && rm -f /packs/bailing-test-*.tgz /packs/bailing-verifier-check-*.tgz \
 && mkdir /app && cd /app && npm init -y >/dev/null \
 && npm install --omit=dev --ignore-scripts --no-audit --no-fund /packs/*.tgz

FROM node:22-bookworm-slim
ENV NODE_ENV=production BAILING_HOST=0.0.0.0 PATH=/app/node_modules/.bin:$PATH
WORKDIR /etc/bailing
COPY --from=build /app /app
# Configuration is mounted at /etc/bailing; a SQLite database lives in /var/lib/bailing. The user owns nothing else.
RUN mkdir -p /var/lib/bailing && chown node:node /var/lib/bailing
USER node
VOLUME /var/lib/bailing
EXPOSE 18900
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:18900/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["bailing"]
CMD ["start"]
