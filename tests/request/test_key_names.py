"""Names that people give to variables are told from pieces of secrets."""

from __future__ import annotations

import random
import string

import pytest

from offprompt.registry.tables import built
from offprompt.request.key_names import is_word, trust, turned_round

USUAL = """
    A A1 AA B2 CI DB DB2 ES FOO GO ID IP K8S NS PS1 S3 TZ UI URL X X509 Y2K BAZ FOO_BAR QUX HELLO WORLD E2E I18N
    L10N N8N_HOST AWS_S3_BUCKET2 SHA256SUM NEXT_PUBLIC_X NEXT_PUBLIC_API_URL VITE_API_BASE REACT_APP_VERSION
    DATABASE_URL DB_HOST DB_PORT DB_USER DB_PASSWORD DBHOST DBNAME PGHOST PGPASSWORD PGSSLMODE PGDATABASE
    MYSQL_ROOT_PASSWORD REDIS_URL REDIS_TLS MONGO_INITDB_ROOT_USERNAME POSTGRES_DB PORT HOST HOSTNAME DEBUG NODE_ENV
    APP_ENV ENV ENVIRONMENT LOG_LEVEL LOG_FORMAT RUST_LOG RUSTFLAGS GOPATH JAVA_HOME PYTHONPATH PYTHONUNBUFFERED
    PYTHONDONTWRITEBYTECODE LD_LIBRARY_PATH LC_ALL LANG HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy
    no_proxy PUID PGID UMASK AUTH0_DOMAIN AUTH0_CLIENT_ID AUTH_SECRET NEXTAUTH_URL NEXTAUTH_SECRET JWT_SECRET
    JWT_EXPIRES_IN SESSION_SECRET COOKIE_DOMAIN CORS_ORIGIN STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET OPENAI_API_KEY
    ANTHROPIC_API_KEY GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN SLACK_BOT_TOKEN SENTRY_DSN SENTRY_TRACES_SAMPLE_RATE
    SMTP_HOST SMTP_PORT SMTP_USER SMTP_PASS MAIL_FROM EMAIL_SERVER_HOST TWILIO_ACCOUNT_SID TWILIO_AUTH_TOKEN
    GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLIENT_ID GCP_PROJECT AZURE_TENANT_ID AWS_ACCESS_KEY_ID
    AWS_SECRET_ACCESS_KEY AWS_REGION AWS_DEFAULT_REGION EC2_INSTANCE_ID ECR_REPOSITORY S3_BUCKET R2_ACCOUNT_ID
    MINIO_ROOT_USER CLOUDFLARE_API_TOKEN VERCEL_TOKEN SUPABASE_URL SUPABASE_ANON_KEY SUPABASE_SERVICE_ROLE_KEY
    FIREBASE_PROJECT_ID ALGOLIA_APP_ID QDRANT_URL PINECONE_API_KEY WEAVIATE_HOST ZILLIZ_HOST KAFKA_BROKERS
    RABBITMQ_DEFAULT_USER CELERY_BROKER_URL ELASTICSEARCH_HOSTS KEYCLOAK_REALM VAULT_ADDR CONSUL_HTTP_ADDR
    OTEL_EXPORTER_OTLP_ENDPOINT PROMETHEUS_PORT GRAFANA_URL WEB3_PROVIDER_URL ETHERSCAN_API_KEY INFURA_PROJECT_ID
    ALCHEMY_KEY RPC_URL WALLET_PRIVATE_KEY MNEMONIC CHAIN_ID TELEGRAM_BOT_TOKEN DISCORD_GUILD_ID FEATURE_FLAG_NEW_UI
    ENABLE_CACHE CACHE_TTL MAX_RETRIES TIMEOUT_MS RATE_LIMIT WORKERS CONCURRENCY BASE_URL PUBLIC_URL SITE_URL
    API_VERSION API_V2_URL OAUTH2_CLIENT_ID SAML2_CERT TLS1_2_ONLY SHA256 RS256_PUBLIC_KEY ED25519_SEED UTF8
    BASE64_KEY IPV6 HTTP2 ACMECORP_API_KEY HUBSPOT_PORTAL_ID SHOPIFY_SHOP_NAME TOKEN SECRET PASSWORD KEY API_KEY
    USER NAME apiKey databaseUrl database_url api_key secret_key debug port COMPOSE_PROJECT_NAME DOCKER_HOST
    KUBECONFIG TF_VAR_region_name CARGO_HOME NPM_TOKEN YARN_CACHE_FOLDER PIP_INDEX_URL VIRTUAL_ENV DJANGO_DEBUG
    DJANGO_SETTINGS_MODULE ALLOWED_HOSTS FLASK_APP FLASK_ENV RAILS_ENV RAILS_MAX_THREADS RACK_ENV SECRET_KEY_BASE
    APP_KEY APP_NAME APP_DEBUG QUEUE_CONNECTION BROADCAST_DRIVER FILESYSTEM_DISK SPRING_PROFILES_ACTIVE
    ASPNETCORE_ENVIRONMENT
""".split()  # noqa: SIM905 - a few hundred quotes would hide the names

ALPHABETS = {
    "base32": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "hex": string.digits + "abcdef",
    "HEX": string.digits + "ABCDEF",
    "base62": string.ascii_letters + string.digits,
    "base64url": string.ascii_letters + string.digits + "_",
    "capitals": string.ascii_uppercase,
    "capitals and digits": string.ascii_uppercase + string.digits,
    "small": string.ascii_lowercase + string.digits,
}


@pytest.mark.parametrize("name", USUAL)
def test_a_usual_name_is_a_name(name: str) -> None:
    assert trust(name) != "doubtful"


def test_every_name_of_the_registry_is_surely_one_wherever_it_stands() -> None:
    names = [*built()["keys_by_name"], *built()["formats_by_name"]]
    assert len(names) > 1000
    assert [name for name in names if trust(name) != "sure"] == []


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("length", [16, 20, 26, 32, 40, 64])
def test_encoded_text_is_no_name(alphabet: str, length: int) -> None:
    chance = random.Random(f"{alphabet} {length}")
    made = ["".join(chance.choices(ALPHABETS[alphabet], k=length)) for _ in range(1000)]
    assert [text for text in made if trust(text) != "doubtful"] == []


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6, 8, 12])
def test_the_end_of_encoded_text_is_hardly_ever_surely_a_name(alphabet: str, length: int) -> None:
    chance = random.Random(f"{alphabet} {length}")
    made = ["".join(chance.choices(ALPHABETS[alphabet], k=length)) for _ in range(1000)]
    assert sum(trust(text) == "sure" for text in made) <= 10


@pytest.mark.parametrize(
    "name",
    [
        "",
        "_",
        "__",
        "1A",
        "A-B",
        "A.B",
        "É",
        "AKIAIOSFODNN7EXAMPLE",
        "sk_live_51HxEXAMPLE",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "hunter2",
        "Tr0ub4dor",
        "correcthorsebatterystaple",
        "JBSWY3DPEHPK3PXP",
        "KEY_" * 20,
    ],
)
def test_what_is_not_surely_a_name_is_left_out(name: str) -> None:
    assert trust(name) == "doubtful"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("production", True),
        ("8080", True),
        ("true", True),
        ("us-east-1", False),
        ("", True),
        ("JBSWY3DPEHPK3PXP", False),
        ("deadbeef", False),
    ],
)
def test_a_word_or_number_is_no_beginning_of_encoded_text(text: str, word: bool) -> None:
    assert is_word(text) is word


@pytest.mark.parametrize(
    ("name", "value", "turned"),
    [
        ("HUNTER2", "DB_PASSWORD", True),
        ("hunter2", "MY_TOKEN", True),
        ("password", "DB_PASSWORD", True),
        ("ROLE", "ADMIN_USER", False),
        ("STORAGE", "AWS_S3", False),
        ("DB", "postgres", False),
        ("ENV", "PRODUCTION", False),
    ],
)
def test_a_line_is_turned_round_where_the_value_is_more_surely_a_name(name: str, value: str, turned: bool) -> None:
    assert turned_round(name, value) is turned
