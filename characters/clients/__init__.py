"""Programs that talk to characters: their requests, what was understood of each, and how to connect one."""
