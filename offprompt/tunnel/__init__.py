"""The way from the person's browser to a page in a sandbox: a Cloudflare quick tunnel, run as a child."""
