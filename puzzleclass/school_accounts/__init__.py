"""Signing in with the account of a school at Google, Microsoft or another OpenID provider."""
