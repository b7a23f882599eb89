# The command and the Python package, with what their pages, servers and tables need:
#   docker build -t leafscore . && docker run --rm -v "$PWD:/data" leafscore score answers.jsonl -s json_similarity
FROM debian:12 AS build
RUN apt-get -qq update && apt-get -qq install -y --no-install-recommends ca-certificates make
WORKDIR /leafscore
COPY . .
RUN make wheel

FROM debian:12-slim
RUN apt-get -qq update \
  && apt-get -qq install -y --no-install-recommends ca-certificates libcurl4 libssl3 python3 python3-venv \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /leafscore/build/wheel/leafscore-*.whl /tmp/
RUN python3 -m venv /opt/leafscore \
  && /opt/leafscore/bin/pip install --no-cache-dir --disable-pip-version-check "$(ls /tmp/leafscore-*.whl)[files,mcp,report]" \
  && rm /tmp/leafscore-*.whl \
  && useradd --create-home leafscore
ENV PATH=/opt/leafscore/bin:$PATH LANG=C.UTF-8
USER leafscore
WORKDIR /data
ENTRYPOINT ["leafscore"]
CMD ["--help"]
