# One image for the worker and the sandbox; docker-compose.yml says which of the two a container runs.

# Debian, not Alpine: Temporal's native module is built against glibc.
FROM node:22.22.2-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json ./

FROM base AS build
# No package of ours needs its install script, and a script of a stranger's would run here.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build

FROM base AS dependencies
RUN npm ci --ignore-scripts --omit=dev

FROM node:22.22.2-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
# For the ledger and the sandbox's state. A new volume takes over the folder's owner: user 1000, the image's `node`.
RUN install -d -o 1000 -g 1000 data
# It says that the files are ES modules.
COPY package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY plans plans
USER 1000:1000
# The worker finishes the attempts on their way and then ends; see stop_grace_period in docker-compose.yml.
STOPSIGNAL SIGTERM
# `node` itself is process 1, without npm or a shell between, so the signal reaches it.
CMD ["node", "dist/worker.js"]
