# To use a newer image: docker compose build --build-arg PYTHON_IMAGE=python:...
ARG PYTHON_IMAGE=python:3.13.15-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285
FROM ${PYTHON_IMAGE}

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    VAR_DIR=/opt/built \
    NUMBA_CACHE_DIR=/opt/built/kernels

WORKDIR /app

COPY requirements.txt .
RUN pip install --requirement requirements.txt \
    && useradd --system --create-home puzzleclass \
    && install --directory --owner=puzzleclass "$VAR_DIR" /var/lib/puzzleclass \
        /var/lib/puzzleclass/static-releases /var/lib/puzzleclass/backups

COPY . .
# Everything for which the first visitor would have to wait is done here: translations, static
# files and the kernels, which are compiled as the user who will run them.
RUN python manage.py messages --compile \
    && chown --recursive puzzleclass "$VAR_DIR"
USER puzzleclass
RUN python manage.py collectstatic --no-input --verbosity 0 \
    && rm -f "$VAR_DIR/secret-key" \
    && python -m solvers.warm

EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
# What runs may find VAR_DIR empty (Compose puts memory there), so it gets links to what was built.
ENV VAR_DIR=/var/lib/puzzleclass \
    NUMBA_CACHE_DIR=/var/lib/puzzleclass/kernels
ENTRYPOINT ["sh", "-c", "cp -rsf /opt/built/. \"$VAR_DIR\" && exec \"$@\"", "--"]
CMD ["python", "manage.py", "serve", "--host", "0.0.0.0"]
