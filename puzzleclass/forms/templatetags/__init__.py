"""The template tags of forms."""
