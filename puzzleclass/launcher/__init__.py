"""What `manage.py run` starts, watches and ends."""
