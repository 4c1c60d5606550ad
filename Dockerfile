# Shimekiri in a container: built from source, run by nobody in particular, with a Japanese font for
# the pictures of tables. What is to be kept lies in /var/lib/shimekiri.
#
#   docker build --build-arg BUILD_COMMIT=$(git rev-parse --short=12 HEAD) -t shimekiri .
#   docker run -d -v shimekiri:/var/lib/shimekiri -e DISCORD_TOKEN shimekiri   # compose.yaml says more
#
# Without a token it says what is missing and ends.

FROM rust:1.95-slim-trixie AS build
# A C compiler for the embedded database; perl and make for the OpenSSL that is built along.
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev make perl \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# What `shimekiri --version` says of which commit it is.
ARG BUILD_COMMIT=unknown
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --release --locked --bin shimekiri \
    && install -D target/release/shimekiri /out/shimekiri

FROM debian:trixie-slim
# postgresql-client is for `shimekiri backup` from PostgreSQL, whose server must not be newer than it;
# curl asks how the house is.
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates curl fonts-morisawa-bizud-gothic postgresql-client-17 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/shimekiri --create-home shimekiri
COPY --from=build /out/shimekiri /usr/local/bin/shimekiri
USER 10001
WORKDIR /var/lib/shimekiri
VOLUME /var/lib/shimekiri
ENV SHIMEKIRI_LOG_FORMAT=json
# It says how it is on the container's own loopback only; publish it by this variable. Where it cannot
# be asked there, it ends and says so, as nothing could be told of its health.
ENV SHIMEKIRI_HEALTH_ADDRESS=127.0.0.1:9184
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD curl --fail --silent --output /dev/null http://127.0.0.1:9184/healthz
STOPSIGNAL SIGTERM
ENTRYPOINT ["shimekiri"]
