"""The programs that `manage.py run` starts, watches and ends."""
