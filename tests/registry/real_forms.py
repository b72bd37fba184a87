"""Known real forms of keys, as templates that make values which look real and are not.

From the providers' own documentation and from what is commonly known of old and new forms side by side; the registry's
rules are set wide of them, and no rule may refuse, or even doubt, one of them.

A template is text with `{set:length}` in it.
"""

from __future__ import annotations

import random
import re
import string

from offprompt.registry.rules import Charset, Either, Form, Length, StartsWith, Usually
from tests.registry.data import IN_TOML, KEYS

SETS = {
    "0": string.digits,
    "h": string.digits + "abcdef",
    "a": string.ascii_lowercase,
    "A": string.ascii_uppercase,
    "l": string.ascii_letters,
    "s": string.ascii_lowercase + string.digits,
    "C": string.ascii_uppercase + string.digits,
    "n": string.ascii_letters + string.digits,
    "u": string.ascii_letters + string.digits + "-_",
    "b": string.ascii_letters + string.digits + "+/",
}
UUID = "{h:8}-{h:4}-4{h:3}-a{h:3}-{h:12}"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtYWRlLXVwIn0.{u:43}"
PEM = "-----BEGIN PRIVATE KEY-----\n{b:64}\n{b:64}\n-----END PRIVATE KEY-----"

REAL: dict[str, tuple[str, ...]] = {
    "airtable/personal_access_token": ("pat{n:14}.{h:64}",),
    "anthropic/admin_key": ("sk-ant-admin01-{u:93}AA",),
    "anthropic/api_key": ("sk-ant-api03-{u:93}AA",),
    "anthropic/oauth_token": ("sk-ant-oat01-{u:93}AA",),
    "apify/api_token": ("apify_api_{n:36}",),
    "atlassian/api_token": ("ATATT3{u:186}={h:8}",),
    "aws/access_key_id": ("AKIA{C:16}", "ASIA{C:16}", "{h:32}", "{n:20}"),
    "aws/secret_access_key": ("{b:40}", "{n:40}"),
    "azure_openai/api_key": ("{h:32}", "{n:84}"),
    "brave/api_key": ("BSA{u:28}",),
    "brevo/api_key": ("xkeysib-{h:64}-{n:16}",),
    "brevo/smtp_key": ("xsmtpsib-{h:64}-{n:16}",),
    "calcom/api_key": ("cal_live_{h:32}", "cal_{h:32}"),
    "cerebras/api_key": ("csk-{s:48}",),
    "circleci/api_token": ("CCIPAT_{n:22}_{h:40}", "{h:40}"),
    "clerk/publishable_key": ("pk_test_Y2xlcmsu{n:24}JA", "pk_live_Y2xlcmsu{n:30}k"),
    "clerk/secret_key": ("sk_test_{n:42}", "sk_live_{n:42}"),
    "cloudflare/api_token": ("{u:40}", "cfut_{n:40}{h:8}"),
    "cloudflare/global_api_key": ("{h:37}", "cfk_{n:40}", "{u:40}"),
    "cloudflare/turnstile_secret_key": ("0x4AAAAAA{u:26}", "1x0000000000000000000000000000000AA"),
    "cloudflare/turnstile_site_key": ("0x4AAAAAA{u:15}", "1x00000000000000000000AA"),
    "cohere/api_key": ("{n:40}",),
    "cursor/api_key": ("key_{h:64}", "crsr_{h:64}"),
    "dashscope/api_key": ("sk-{h:32}",),
    "databricks/token": ("dapi{h:32}", "dapi{h:32}-2", JWT),
    "deepseek/api_key": ("sk-{h:32}",),
    "digitalocean/personal_access_token": ("dop_v1_{h:64}", "doo_v1_{h:64}"),
    "discord/bot_token": ("M{n:25}.G{n:5}.{u:38}", "{n:24}.{n:6}.{u:27}"),
    "discord/webhook_url": ("https://discord.com/api/webhooks/{0:18}/{u:68}",),
    "docker/personal_access_token": ("dckr_pat_{u:27}", "dckr_oat_{u:32}", UUID),
    "doppler/service_token": ("dp.st.prd.{n:43}", "dp.pt.{n:43}"),
    "dropbox/access_token": ("sl.{u:140}", "{n:11}AAAAAAAAAA{u:43}"),
    "e2b/api_key": ("e2b_{h:40}",),
    "elevenlabs/api_key": ("sk_{h:48}", "{h:32}"),
    "exa/api_key": (UUID,),
    "figma/personal_access_token": ("figd_{u:40}",),
    "firebase/private_key": (PEM, PEM.replace("\n", "\\n")),
    "firebase/web_api_key": ("AIza{u:35}",),
    "firecrawl/api_key": ("fc-{h:32}",),
    "fireworks/api_key": ("fw_{n:22}", "{n:48}"),
    "fly/access_token": ("FlyV1 fm2_{b:120}", "fo1_{u:43}"),
    "gcp/maps_api_key": ("AIza{u:35}",),
    "gcp/service_account_json": ('{"type": "service_account", "private_key_id": "{h:40}"}',),
    "gemini/api_key": ("AIza{u:35}", "AQ.{u:50}"),
    "github/app_private_key": (PEM,),
    "github/client_id": ("Iv1.{h:16}", "Iv23{n:16}", "Ov23{n:16}", "{h:20}"),
    "github/personal_access_token": (
        "ghp_{n:36}",
        "gho_{n:36}",
        "ghu_{n:36}",
        "ghs_{n:36}",
        "ghs_{u:120}.{u:340}.{u:54}",
        "github_pat_{n:22}_{n:59}",
        "{h:40}",
    ),
    "gitlab/personal_access_token": ("glpat-{u:20}", "glpat-{u:27}.01.{s:9}", "ours-{u:20}"),
    "google_oauth/client_secret": ("GOCSPX-{u:28}", "{u:24}"),
    "grafana/service_account_token": ("glsa_{n:32}_{h:8}", "eyJrIjoi{n:70}"),
    "groq/api_key": ("gsk_{n:52}",),
    "hashicorp_vault/token": ("hvs.{u:90}", "s.{n:24}", "root-token"),
    "heroku/api_key": (UUID, "HRKU-AA{u:58}"),
    "hubspot/access_token": ("pat-na1-" + UUID, "pat-eu1-" + UUID),
    "huggingface/user_access_token": ("hf_{l:34}", "api_org_{l:34}"),
    "kaggle/key": ("{h:32}", "KGAT_{h:32}"),
    "klaviyo/private_key": ("pk_{h:34}",),
    "langfuse/public_key": ("pk-lf-" + UUID,),
    "langfuse/secret_key": ("sk-lf-" + UUID,),
    "langsmith/api_key": ("lsv2_pt_{h:32}_{h:10}",),
    "launchdarkly/access_token": ("api-" + UUID,),
    "launchdarkly/sdk_key": ("sdk-" + UUID,),
    "lemonsqueezy/api_key": (JWT,),
    "linear/api_key": ("lin_api_{n:40}", "lin_oauth_{h:64}"),
    "mailchimp/api_key": ("{h:32}-us12",),
    "mailersend/api_token": ("mlsn.{h:64}", JWT),
    "mailgun/api_key": ("key-{h:32}", "{h:32}-{h:8}-{h:8}", "{n:35}-{n:36}"),
    "mapbox/access_token": ("pk.eyJ1{n:60}.{u:22}", "sk.eyJ1{n:60}.{u:22}"),
    "mapbox/public_token": ("pk.eyJ1{n:60}.{u:22}",),
    "minimax/api_key": ("sk-api-{u:110}", JWT),
    "mistral/api_key": ("{n:32}",),
    "mongodb/connection_string": ("mongodb+srv://app:{n:16}@cluster0.{s:5}.mongodb.net/app?retryWrites=true",),
    "monday/api_token": (JWT,),
    "moonshot/api_key": ("sk-{n:48}",),
    "moonshot/kimi_code_key": ("sk-kimi-{n:64}",),
    "netlify/personal_access_token": ("nfp_{n:40}", "{u:43}"),
    "newrelic/user_key": ("NRAK-{C:27}",),
    "notion/api_token": ("ntn_{n:46}", "secret_{n:43}"),
    "npm/access_token": ("npm_{n:36}", UUID, JWT),
    "nvidia/api_key": ("nvapi-{u:64}",),
    "openai/admin_key": ("sk-admin-{u:128}",),
    "openai/api_key": (
        "sk-{n:20}T3BlbkFJ{n:20}",
        "sk-proj-{u:74}T3BlbkFJ{u:74}",
        "sk-svcacct-{u:74}T3BlbkFJ{u:74}",
        "sk-None-{n:20}T3BlbkFJ{n:20}",
        "sk-service-{u:40}",
        "sk-{n:48}",
    ),
    "openrouter/api_key": ("sk-or-v1-{h:64}",),
    "openrouter/management_key": ("sk-or-v1-{h:64}",),
    "paddle/api_key": ("pdl_live_apikey_{s:26}_{n:22}_{n:3}", "pdl_sdbx_apikey_{s:26}_{n:22}_{n:3}", "{n:50}"),
    "paddle/client_token": ("test_{h:27}", "live_{h:27}"),
    "paystack/public_key": ("pk_test_{h:40}", "pk_live_{h:40}"),
    "paystack/secret_key": ("sk_test_{h:40}", "sk_live_{h:40}"),
    "perplexity/api_key": ("pplx-{n:48}",),
    "pinecone/api_key": ("pcsk_{n:6}_{n:63}", UUID),
    "planetscale/password": ("pscale_pw_{u:43}",),
    "planetscale/service_token": ("pscale_tkn_{u:43}",),
    "polar/access_token": ("polar_oat_{n:43}",),
    "posthog/personal_api_key": ("phx_{n:47}",),
    "posthog/project_token": ("phc_{n:43}",),
    "postmark/server_token": (UUID, "POSTMARK_API_TEST"),
    "razorpay/key_id": ("rzp_test_{n:14}", "rzp_live_{n:14}"),
    "recaptcha/secret_key": ("6Ld{u:5}AAAAA{u:27}",),
    "recaptcha/site_key": ("6Lc{u:5}AAAAA{u:27}",),
    "render/api_key": ("rnd_{n:28}",),
    "replicate/api_token": ("r8_{n:37}", "{h:40}"),
    "resend/api_key": ("re_{n:8}_{n:24}",),
    "resend/webhook_secret": ("whsec_{b:32}",),
    "runpod/api_key": ("rpa_{C:40}{s:6}", "{C:40}"),
    "salesforce/access_token": ("00D{n:12}!{n:80}",),
    "scaleway/access_key": ("SCW{C:17}",),
    "segment/access_token": ("sgp_{n:64}",),
    "sendgrid/api_key": ("SG.{u:22}.{u:43}",),
    "sentry/auth_token": ("sntrys_{b:80}_{b:43}", "sntryu_{h:64}", "{h:64}"),
    "sentry/dsn": ("https://{h:32}@o{0:6}.ingest.us.sentry.io/{0:16}",),
    "shopify/admin_api_access_token": ("shpat_{h:32}", "shpca_{h:32}", "shppa_{h:32}", "shpua_{h:32}", "{h:32}"),
    "siliconflow/api_key": ("sk-{a:48}",),
    "slack/app_token": ("xapp-1-A{C:10}-{0:13}-{h:64}",),
    "slack/bot_token": ("xoxb-{0:12}-{0:13}-{n:24}", "xoxe.xoxb-1-{n:160}"),
    "slack/user_token": ("xoxp-{0:12}-{0:12}-{0:13}-{h:32}",),
    "slack/webhook_url": ("https://hooks.slack.com/services/T{C:8}/B{C:10}/{n:24}",),
    "square/access_token": ("EAAA{u:60}", "sq0atp-{u:22}"),
    "stability/api_key": ("sk-{n:48}",),
    "stripe/publishable_key": ("pk_test_51{n:97}", "pk_live_51{n:97}", "pk_test_{n:24}", "pk_live_{n:24}"),
    "stripe/secret_key": (
        "sk_test_51{n:97}",
        "sk_live_51{n:97}",
        "sk_live_{n:24}",
        "sk_test_{n:24}",
        "rk_live_51{n:97}",
        "rk_test_{n:24}",
        "sk_org_live_{n:60}",
    ),
    "stripe/webhook_secret": ("whsec_{n:32}", "whsec_{h:64}"),
    "supabase/access_token": ("sbp_{h:40}",),
    "supabase/publishable_key": ("sb_publishable_{u:22}_{u:8}", JWT + "{u:60}"),
    "supabase/secret_key": ("sb_secret_{u:22}_{u:8}", JWT + "{u:60}", "sb_publishable_{u:22}_{u:8}"),
    "tailscale/auth_key": ("tskey-auth-{n:12}CNTRL-{n:32}", "tskey-client-{n:12}CNTRL-{n:32}?ephemeral=true"),
    "tailscale/api_key": ("tskey-api-{n:12}CNTRL-{n:32}",),
    "tavily/api_key": ("tvly-{n:32}", "tvly-dev-{n:32}"),
    "telegram/bot_token": ("{0:10}:AA{u:33}",),
    "terraform_cloud/api_token": ("{n:14}.atlasv1.{u:67}",),
    "together/api_key": ("tgp_v1_{u:43}", "{h:64}"),
    "trello/token": ("ATTA{h:64}{h:8}", "{h:64}"),
    "turso/auth_token": (JWT,),
    "twilio/account_sid": ("AC{h:32}",),
    "twilio/api_key_sid": ("SK{h:32}",),
    "twilio/auth_token": ("{h:32}",),
    "twilio/messaging_service_sid": ("MG{h:32}",),
    "twilio/verify_service_sid": ("VA{h:32}",),
    "uploadthing/secret": ("sk_live_{h:64}",),
    "uploadthing/token": ("eyJhcGlLZXkiOiJza19saXZl{n:120}",),
    "vercel/access_token": ("{n:24}", "vcp_{n:56}"),
    "vercel/ai_gateway_api_key": ("vck_{n:56}",),
    "vercel/blob_token": ("vercel_blob_rw_{n:16}_{n:32}",),
    "voyage/api_key": ("pa-{u:43}", "al-{u:43}"),
    "wakatime/api_key": (UUID, "waka_" + UUID),
    "wandb/api_key": ("{h:40}", "wandb_v1_{n:80}"),
    "workos/api_key": ("sk_test_a2V5XzAx{n:48}", "sk_live_a2V5XzAx{n:48}"),
    "xai/api_key": ("xai-{n:80}",),
}

_HOLE = re.compile(r"\{(\w):(\d+)\}")


def made(template: str, chance: random.Random) -> str:
    """A value of the template's form."""
    return _HOLE.sub(lambda hole: "".join(chance.choices(SETS[hole[1]], k=int(hole[2]))), template)


def by_rule(key_id: str, chance: random.Random) -> str:
    """A value that keeps the rules of a key, at random lengths; its example where the rules are not enough to go by."""
    key = KEYS[key_id]
    rules = {type(rule): rule for rule in key.rules}
    either = rules.get(Either)
    if isinstance(either, Either):
        return _of_form(chance.choice(either.forms), chance)
    length, charset = rules.get(Length), rules.get(Charset)
    starts = rules.get(StartsWith) or rules.get(Usually)
    if key.format or not isinstance(length, Length) or not isinstance(charset, Charset):
        return str(IN_TOML[key_id][1]["example"])
    prefixes = starts.prefixes if isinstance(starts, StartsWith | Usually) else ()
    return _of_form(Form(prefixes, length.min, min(length.max, 300), charset.of), chance)


def _of_form(form: Form, chance: random.Random) -> str:
    prefix = chance.choice(form.prefixes) if form.prefixes else ""
    letters = [c for c in map(chr, range(33, 127)) if re.fullmatch(f"[{form.of}]", c)] if form.of else list(SETS["n"])
    size = max(chance.randint(form.min, min(form.max, 300)) - len(prefix), 0)
    return prefix + "".join(chance.choices(letters, k=size))


def values_of(key_id: str, chance: random.Random) -> list[str]:
    """Values that this key can have: one of each known form, or of what its rules allow where none is known."""
    return [made(template, chance) for template in REAL.get(key_id, ())] or [by_rule(key_id, chance)]
