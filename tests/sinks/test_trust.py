"""Which files run, or are trusted by a tool, and which are served to everyone."""

from __future__ import annotations

import pytest

from offprompt.sinks.trust import public_folder, trust_of

TRUSTED = {
    "shell": ".envrc .bashrc .zshrc home/.profile scripts/env.sh bin/activate.fish setup.ps1 .direnv/x",
    "hooks": ".husky/pre-commit .husky/_/x .githooks/pre-push .pre-commit-config.yaml lefthook.yml .gitattributes",
    "ci": ".github/workflows/ci.yml web/.github/workflows/x .gitlab-ci.yml .circleci/config.yml Jenkinsfile",
    "editor": ".vscode/settings.json .vscode/.env .idea/workspace.xml shop.code-workspace devcontainer.json",
    "build": "Makefile makefile GNUmakefile package.json web/package.json pyproject.toml setup.py Dockerfile "
    "Cargo.toml docker-compose.yml compose.yaml vite.config.ts .cargo/config.toml CMakeLists.txt",
    "packages": ".npmrc web/.npmrc .pypirc pip.conf .yarnrc.yml requirements.txt .yarn/releases/yarn.cjs2 Pipfile",
    "agent": ".mcp.json .claude/settings.json CLAUDE.md docs/AGENTS.md .cursor/rules/x .cursorrules opencode.json",
    "login": "authorized_keys .ssh/config home/.ssh/id_ed25519 .netrc offprompt.service .config/autostart/x",
    "python": "sitecustomize.py lib/usercustomize.py conftest.py tests/conftest.py site/x.pth pytest.ini",
    "runs": "index.js app.py lib/x.rb web/index.php",
}
PLAIN = (
    ".env .env.local .env.production config/secrets.env web/.env key.pem certs/server.key secrets.json credentials.yml "
    "src/hooks/.env .github/.env terraform.tfvars config.toml notes.md .github/workflows.env Makefile.d/.env "
    ".envrc.d/x my.npmrc package.json.env"
)


@pytest.mark.parametrize(
    ("path", "trust"), [(path, trust) for trust, paths in TRUSTED.items() for path in paths.split()], ids=str
)
def test_a_file_that_runs_or_that_a_tool_trusts_is_known_by_its_path(path: str, trust: str) -> None:
    assert trust_of(path) == trust
    assert trust_of(path.swapcase()) == trust
    assert trust_of(f"deep/{path}", executable=True) == trust


@pytest.mark.parametrize("path", PLAIN.split())
def test_a_file_that_only_programs_of_the_project_read_is_not(path: str) -> None:
    assert trust_of(path) == ""


def test_any_other_file_that_can_be_executed_runs() -> None:
    assert trust_of("tool", executable=True) == "runs"
    assert trust_of(".env", executable=True) == "runs"


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("public/env.txt", "public"),
        ("web/Public/a/.env", "Public"),
        ("static/.env", "static"),
        ("apps/shop/wwwroot/x", "wwwroot"),
        ("site/htdocs/public/x", "htdocs"),
        (".well-known/x", ".well-known"),
        ("dist/.env", "dist"),
        (".env", ""),
        ("public", ""),
        ("config/public.env", ""),
        ("publication/.env", ""),
    ],
)
def test_what_a_web_server_hands_out_is_known_by_its_folder(path: str, folder: str) -> None:
    assert public_folder(path) == folder
