# syntax=docker/dockerfile:1
ARG VERSION=1.22
FROM golang:${VERSION}-alpine AS build
LABEL maintainer="me@example.com" version='1.0'
ENV PATH=/usr/local/bin:$PATH MODE=release
WORKDIR /src
COPY --from=base --chown=app:app go.mod go.sum ./
RUN apk add --no-cache git \
    && go build -o /out/app "./cmd/app" \
    && rm -rf /tmp/*
ADD https://example.com/file.tar.gz /opt/
FROM scratch
COPY --from=build /out/app /app
VOLUME ["/data", "/logs"]
EXPOSE 8080/tcp 9090
USER app:app
HEALTHCHECK --interval=30s CMD curl -f http://localhost/ || exit 1
SHELL ["/bin/sh", "-c"]
STOPSIGNAL SIGTERM
ONBUILD RUN echo hello
ENTRYPOINT ["/app", "--serve"]
CMD ["--port", "8080"]
