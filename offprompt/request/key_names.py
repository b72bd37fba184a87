"""Which names of a dotenv file an agent may be told: those that are surely names, and no piece of a value.

A secret that was pasted without quotes and wrapped leaves lines that end in `=`; a line turned round has the value in
the name's place. Both read like assignments. So a name is told when it is made of words: of those that variables are
usually named with, or of letters that follow each other as they do there. Encoded text (hex, base32, base64) is not.
tests/request/test_key_names.py has the names that pass and the secrets that do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from offprompt.registry.owner import candidates, near_candidates
from offprompt.registry.tables import built

Trust = Literal["sure", "likely", "doubtful"]
"""`sure`: words and nothing else. `likely`: unless what stands around it says otherwise. `doubtful`: never told."""

LONGEST = 64
"""Characters of the longest name that is told. The longest usual name in the registry has 44."""
_SHORT = 6
"""Characters of an unknown name that is too short for a secret."""
_ABBREVIATION = 4
"""Characters of a part with a number in it that is an abbreviation: S3, K8S, I18N, X509."""
_CODE = 8
"""Letters and digits in any order that may stand among known words, such as a release or a tenant."""
_WORD = 16
"""Letters of an unknown word that may stand among known ones, such as a product's name."""
_LONE_WORD = 12
"""Letters of an unknown word that may stand alone."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RUNS = re.compile(r"[A-Z]+|[0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_USUAL_WORDS = frozenset(
    """
    ACCESS ACCOUNT ACTION ACTIVE ADAPTER ADDR ADDRESS ADMIN AES AGE AGENT AI ALERT ALGOLIA ALGORITHM ALIAS ALL ALLOW
    ALLOWED AMOUNT AMQP ANALYTICS ANON APACHE API APP APPLE APPLICATION APPS ARCH ARG ARGS ARN ASSET ASSETS ASYNC
    ATTEMPTS AUDIENCE AUDIT AUTH AUTHORITY AUTO AVATAR AWS AZURE BACKEND BACKUP BAR BASE BASIC BATCH BAZ BEARER BETA
    BI BIN BIND BIT BLOB BOOL BOOT BOT BRANCH BROKER BROWSER BUCKET BUFFER BUFFERED BUILD BUNDLE BUS BYTES CA CACHE
    CALLBACK CAPTCHA CDN CELERY CERT CERTIFICATE CERTS CFLAGS CHANNEL CHARSET CHAT CHECK CI CIDR CLASS CLERK CLI
    CLIENT CLOUD CLUSTER CMD CODE COLLECTION COLOR COLOUR COLUMN COMMAND COMMIT COMPANY COMPOSE CONCURRENCY CONF
    CONFIG CONN CONNECT CONNECTION CONNECTIONS CONSOLE CONSUMER CONTACT CONTAINER CONTENT CONTEXT COOKIE COPY CORE
    CORS COUNT COUNTRY CPU CREATE CREDENTIAL CREDENTIALS CRM CRON CSP CSRF CSS CSV CURRENCY CUSTOM CUSTOMER CXX
    CXXFLAGS DAILY DASHBOARD DATA DATABASE DATADOG DATE DATETIME DAYS DB DBS DEBUG DEFAULT DELAY DELETE DEMO DEPLOY
    DEPLOYMENT DEPTH DEV DEVELOPER DEVELOPMENT DEVICE DIR DIRECT DIRECTORY DIRS DISABLE DISABLED DISCORD DISK
    DISPLAY DISTRIBUTION DJANGO DNS DOCKER DOCS DOMAIN DOMAINS DOWNLOAD DRIVER DRY DSN DURATION EC ECR ECS EDGE
    EDITOR EKS ELASTIC ELASTICSEARCH EMAIL EMAILS EMBEDDING ENABLE ENABLED ENCODING ENCRYPT ENCRYPTED ENCRYPTION END
    ENDPOINT ENDPOINTS ENGINE ENTITY ENV ENVIRONMENT ERROR ERRORS EVENT EVENTS EXCHANGE EXCLUDE EXEC EXPIRATION
    EXPIRE EXPIRES EXPIRY EXPORT EXPOSE EXPRESS EXT EXTERNAL EXTRA FALLBACK FALSE FEATURE FEATURES FEED FILE FILES
    FILTER FINGERPRINT FIREBASE FIRST FLAG FLAGS FLASK FLOW FOLDER FONT FOO FORCE FORMAT FORWARD FRAME FROM FRONTEND
    FS FTP FULL FUNCTION FUNCTIONS GATEWAY GATSBY GEN GEO GID GIT GITHUB GITLAB GLOBAL GO GOOGLE GPG GPT GPU GRAFANA
    GRAPH GRAPHQL GROUP GROUPS GRPC GUEST GUILD HANDLER HASH HEADER HEADERS HEALTH HEALTHCHECK HEAP HEIGHT HEROKU
    HIDDEN HIGH HOME HOOK HOOKS HOST HOSTED HOSTNAME HOSTS HOUR HOURS HTML HTTP HTTPS IAM ICON ID IDENTITY IDLE IDS
    IGNORE IMAGE IMAGES IMAP IMPORT IN INDEX INFLUX INFO INGEST INIT INPUT INSECURE INSTALL INSTANCE INTERNAL
    INTERVAL INVITE IP IPS ISSUER ITEM ITEMS JAVA JDK JOB JOBS JS JSON JVM JWKS JWT KAFKA KEY KEYS KEYSPACE KIBANA
    KIND KMS KUBE KUBECONFIG LABEL LANG LANGUAGE LARAVEL LAST LATEST LAYER LC LDAP LDFLAGS LEAD LEGACY LENGTH LEVEL
    LIB LIBRARY LICENSE LIMIT LIMITS LINE LINK LINUX LIST LISTEN LIVE LLM LOAD LOCAL LOCALE LOCATION LOCK LOG LOGGER
    LOGGING LOGIN LOGO LOGS LOW MACOS MAIL MAILER MAILGUN MAIN MAINTENANCE MANAGER MAP MAPS MASTER MATCH MAX MD
    MEDIA MEMORY MNEMONIC BYTECODE DONT MERCHANT MESSAGE META METHOD METRICS MIGRATE MIGRATION MIGRATIONS MIN
    MINUTES ML MOBILE MOCK MODE MODEL MODELS MODULE MONGO MONITOR MOUNT MS MY MYSQL NAME NAMES NAMESPACE NATIVE NET
    NETLIFY NETWORK NEW NEXT NGINX NO NODE NODES NONCE NOREPLY NOT NOTIFICATION NOTIFY NOVA NPM NULL NUM NUMBER NUXT
    OAUTH OBJECT OFF OFFSET OIDC ON ONLY OPEN OPENAI OPENAPI OPTION OPTIONS OPTS ORDER ORG ORIGIN ORIGINS OTEL OTLP
    OUT OUTPUT OVERRIDE OWNER PACKAGE PAGE PAGES PARALLEL PARAM PARAMS PARENT PARTITION PASS PASSPHRASE PASSWD
    PASSWORD PATH PATHS PATTERN PAYMENT PEM PEPPER PER PERCENT PERIOD PERMISSION PG PGP PGPASSWORD PHONE PHOTO PID
    PIN PING PIPELINE PLAN PLATFORM PLUGIN PLUGINS POD POLICY POLL POOL POOLING POP PORT PORTS POST POSTGRES
    POSTGRESQL PREFIX PRESET PREVIEW PRICE PRIMARY PRIORITY PRISMA PRIVATE PROCESS PROD PRODUCER PRODUCT PRODUCTION
    PROFILE PROJECT PROMETHEUS PROMPT PROPERTIES PROTOCOL PROVIDER PROXY PS PUBLIC PUBLISH PUBLISHABLE PUSH PWD
    PYTHON PYTHONPATH QUERY QUEUE QUEUES QUIET QUOTA RABBITMQ RAG RAILS RAM RANDOM RANGE RATE RATIO RAW RDS REACT
    READ READONLY READY REALM RECEIVER RECIPIENT REDIRECT REDIS REFRESH REGION REGISTRY RELAY RELEASE REMOTE REPLICA
    REPLICAS REPLY REPO REPORT REPOSITORY REQUEST REQUESTS REQUIRE REQUIRED RESET RESOURCE RESPONSE REST RESULT
    RETENTION RETRIES RETRY REVISION ROBOTS ROLE ROOM ROOT ROUTE ROUTER ROUTES RPC RSA RULE RUN RUNNER RUNTIME SALT
    SAME SAMPLE SANDBOX SCALE SCHEDULE SCHEDULER SCHEMA SCHEME SCOPE SCOPES SCRAPE SCRIPT SDK SEARCH SECONDS SECRET
    SECRETS SECURE SECURITY SEED SEND SENDER SENDGRID SENTRY SERIAL SERPER SERVER SERVERS SERVICE SERVICES SES
    SESSION SESSIONS SET SETTING SETTINGS SETUP SHA SHARD SHARE SHARED SHELL SHOP SHOW SID SIGN SIGNATURE SIGNING
    SITE SIZE SKIP SLACK SLUG SMS SMTP SNAPSHOT SNS SOCKET SOCKS SOURCE SPACE SPEED SPRING SQL SQLITE SQS SRC SSH
    SSL SSLMODE SSO STACK STAGE STAGING START STARTUP STATE STATIC STATS STATUS STOP STORAGE STORE STREAM STRICT
    STRING STRIPE SUB SUBDOMAIN SUBJECT SUBNET SUBSCRIPTION SUFFIX SUM SUPABASE SUPER SUPERUSER SUPPORT SYMFONY SYNC
    SYSTEM TABLE TAG TAGS TARGET TASK TASKS TCP TEAM TELEGRAM TELEMETRY TEMP TEMPLATE TENANT TERM TEST TESTING TESTS
    TEXT THEME THREAD THREADS THRESHOLD TIER TIME TIMEOUT TIMEZONE TITLE TLS TMP TO TOKEN TOKENS TOOL TOP TOPIC TOTP
    TRACE TRACES TRACING TRACK TRACKING TRAEFIK TRANSPORT TRUE TRUST TRUSTED TTL TUNNEL TWILIO TYPE TYPES TZ UDP UI
    UID UNBUFFERED UNIX UNSAFE UPDATE UPLOAD UPLOADS UPSTREAM URI URIS URL URLS USE USER USERNAME USERS UTC UUID
    VALID VALIDATE VALUE VALUES VAR VARS VAULT VECTOR VENDOR VERBOSE VERCEL VERIFY VERSION VHOST VIDEO VIEW VISION
    VITE VOICE VOLUME VPC VUE WAIT WALLET WARN WATCH WEB WEBHOOK WEBHOOKS WEBPACK WEBSITE WEBSOCKET WHITELIST WIDTH
    WINDOW WINDOWS WITH WORKDIR WORKER WORKERS WORKFLOW WORKSPACE WRITE WS WSS XDG XML YAML YES ZONE
    """.split()  # noqa: SIM905 - a thousand quotes would hide the words
)
"""Words of usual names, beside those of the registry's own names."""
_MOST_WORDS = 4
"""Words that are written together: PYTHONDONTWRITEBYTECODE."""
_USUAL_TIMES = 3
"""Places at which two letters follow each other in known words before they count as usual."""


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    words: frozenset[str]
    pairs: frozenset[str]
    longest: int


@cache
def _vocabulary() -> _Vocabulary:
    names = [*built()["keys_by_name"], *built()["formats_by_name"]]
    words = _USUAL_WORDS | {run for name in names for run in _RUNS.findall(name) if len(run) > 1 and run.isalpha()}
    pairs = Counter(word[at : at + 2] for word in words for at in range(len(word) - 1))
    usual = frozenset(pair for pair, times in pairs.items() if times >= _USUAL_TIMES)
    return _Vocabulary(frozenset(words), usual, max(map(len, words)))


def trust(name: str) -> Trust:
    """Return how sure it is that `name` is a name and no piece of a value, by its own look."""
    if len(name) > LONGEST or _NAME.fullmatch(name) is None:
        return "doubtful"
    if candidates(name)[1] or near_candidates(name):
        return "doubtful"  # the form of a provider's key
    parts = [part for part in name.split("_") if part]
    if name != name.upper():
        camel = [word.upper() for part in parts for word in _CAMEL.sub(" ", part).split()]
        return "likely" if all(map(_made_of_words, camel)) and _letters(camel) >= 3 else "doubtful"
    known = [part for part in parts if _known(part)]
    others = [part for part in parts if part not in known]
    if _letters(known) >= 3 and all(map(_fits_among_words, others)):
        return "sure" if _letters(known) >= 4 and all(map(_speaks, others)) else "likely"
    opaque = sum(len(part) for part in others if not _stands_alone(part))
    return "likely" if parts and opaque <= _SHORT else "doubtful"


def _letters(parts: Iterable[str]) -> int:
    return sum(len(run) for part in parts for run in _RUNS.findall(part) if len(run) > 1 and run.isalpha())


def turned_round(name: str, value: str) -> bool:
    """Whether `value` is more surely a name than `name`, as in a line that was written the wrong way round."""
    return "_" in value and trust(value) == "sure" and trust(name) != "sure"


def is_word(text: str) -> bool:
    """Whether `text` is one word, a number or nothing: no beginning of an encoded value."""
    return text.isdigit() or all(_known(part.upper()) for part in re.split(r"[-_.]", text) if part)


def _known(part: str) -> bool:
    """Whether a part is known words and at most two numbers of four digits (SHA256SUM, PGHOST), or as short as K8S."""
    runs = _RUNS.findall(part)
    numbers = [run for run in runs if run.isdigit()]
    if len(numbers) > 2 or any(len(number) > 4 for number in numbers):
        return False
    if len(part) <= _ABBREVIATION and len(numbers) == 1:
        return True
    return all(_made_of_words(run) for run in runs if run.isalpha())


def _made_of_words(letters: str) -> bool:
    """Whether the letters are one known word, or up to four in a row: one of two letters among longer ones."""
    vocabulary = _vocabulary()
    if letters in vocabulary.words:
        return True
    ends = {(0, False)}  # where words end, and whether one of two letters is among them
    for _ in range(_MOST_WORDS):
        ends = {
            (end, short or end - start == 2)
            for start, short in ends
            for end in range(start + (3 if short else 2), min(len(letters), start + vocabulary.longest) + 1)
            if letters[start:end] in vocabulary.words
        }
        if any(end == len(letters) for end, _ in ends):
            return True
    return False


def _fits_among_words(part: str) -> bool:
    if part.isdigit():
        return len(part) <= _CODE
    return len(part) <= (_WORD if part.isalpha() else _CODE)


def _stands_alone(part: str) -> bool:
    """Whether an unknown part is short enough to speak for itself, or is behind a known word: PYTHONUNBUFFERED."""
    if not _speaks(part):
        return False
    words = _vocabulary().words
    return len(part) <= _LONE_WORD or any(
        part[:end] in words for end in range(max(4, len(part) - _LONE_WORD), len(part))
    )


def _speaks(part: str) -> bool:
    """Whether an unknown part is letters that follow each other as in known words, perhaps with a number behind."""
    letters = part.rstrip("0123456789")
    if not letters.isalpha() or len(part) - len(letters) > 4:
        return False
    pairs = _vocabulary().pairs
    return all(letters[at : at + 2] in pairs for at in range(len(letters) - 1))
