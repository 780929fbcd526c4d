# The program, for docker-compose.yml: web, worker and beat are this image with other commands.
FROM python:3.11.13-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DATA_DIR=/data FORWARDED_ALLOW_IPS=
WORKDIR /app

COPY requirements.txt requirements-postgres.txt ./
# torch from PyPI would bring CUDA along: the same version from PyTorch's own index of CPU wheels.
RUN pip install --no-cache-dir --extra-index-url https://download.pytorch.org/whl/cpu \
    "$(grep -o '^torch==[0-9.]*' requirements.txt)+cpu" -r requirements.txt -r requirements-postgres.txt

COPY . .
# For web processes and workers: the embedding model without torch.
RUN DATA_DIR=/tmp/nothing python manage.py export_embedder --installed && rm -r /tmp/nothing
RUN useradd --create-home kgadmin && mkdir /data && chown kgadmin /data
USER kgadmin
VOLUME /data
EXPOSE 8000
CMD ["uvicorn", "kgadmin.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--lifespan", "on", "--http", "kgadmin.connections:PatientProtocol", "--timeout-graceful-shutdown", "1"]
