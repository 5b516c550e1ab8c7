"""The choices of the reader of a page, and Japanese with furigana."""
